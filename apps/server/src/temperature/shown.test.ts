import type { NodeTemperature } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { collectors } from '../collectors/index.ts'
import { usualPace } from '../collectors/source.ts'
import { given } from '../collectors/pve/given.ts'
import { createConnections } from '../connections/connections.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'

test('[facts/collection 1.12] a reading shows within one poll, and goes when it is too old', async (context) => {
  const { clock, connection, until } = await given(context, { nodes: 2, guests: 2 })
  const state = createState(aMeta())
  let reading: NodeTemperature | undefined
  let asked = ''
  const connections = createConnections({
    store: {
      all: () => Promise.resolve([connection]),
      update: () => Promise.resolve(),
    } as Partial<ConnectionStore> as ConnectionStore,
    collectors,
    state,
    clock,
    log: pino({ level: 'silent' }),
    publish: () => {},
    onWrite: () => {},
    pace: () => usualPace,
    temperatureOf: (id, node) => (id === connection.id && node === asked ? reading : undefined),
  })
  context.onTestFinished(() => connections.stop())
  await connections.start()
  const nodes = () => [...state.tables.nodes.values()]
  const shown = () => nodes().map(({ temperature }) => temperature?.cpuPackage)
  await until('both nodes are there', () => shown().length === 2)
  expect(shown()).toEqual([undefined, undefined])
  expect(connections.list()[0]!.temperature).toEqual({ available: false })

  asked = nodes()[1]!.node
  reading = { available: true, hasCPU: true, hasNVMe: false, cpuPackage: 61 }
  await until('the second node shows it', () => shown()[1] === 61, 11)
  expect(shown()).toEqual([undefined, 61])
  expect(connections.list()[0]!.temperature).toEqual({ available: true })
  reading = { ...reading, cpuPackage: 64 }
  await until('a new one replaces it', () => shown()[1] === 64, 11)
  reading = undefined
  await until('it is gone', () => shown()[1] === undefined, 11)
})
