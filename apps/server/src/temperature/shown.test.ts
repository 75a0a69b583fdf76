import type { NodeTemperature } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { collectors } from '../collectors/index.ts'
import { usualPace } from '../collectors/source.ts'
import { given } from '../collectors/pve/fixtures.ts'
import { createConnections } from '../connections/connections.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'

test('[facts/collection 1.12] a reading shows at once on its node, lasts over polls, and goes with its source', async (context) => {
  const { clock, connection, until } = await given(context, { nodes: 2, guests: 2 })
  const state = createState(aMeta())
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
  })
  context.onTestFinished(() => connections.stop())
  await connections.start()
  const nodes = () => [...state.tables.nodes.values()]
  const shown = () => nodes().map(({ temperature }) => temperature?.cpuPackage)
  await until('both nodes are there', () => shown().length === 2)
  expect(shown()).toEqual([undefined, undefined])
  expect(connections.list()[0]!.temperature).toEqual({ available: false })

  const second = nodes()[1]!.node
  const id = `${connection.id}:${second}`
  const read = (cpuPackage: number) => {
    const temperature: NodeTemperature = { available: true, hasCPU: true, hasNVMe: false, cpuPackage }
    const sensors = { source: connection.id, node: second, temperature }
    state.observe({ source: 'sensors', records: { nodeSensors: new Map([[id, sensors]]) } })
  }
  read(61)
  expect(shown()).toEqual([undefined, 61])
  expect(connections.list()[0]!.temperature).toEqual({ available: true })
  read(64)
  expect(shown()).toEqual([undefined, 64])
  const seen = state.tables.nodes.get(id)
  await until('the node is polled again', () => state.tables.nodes.get(id) !== seen, 11)
  expect(shown()).toEqual([undefined, 64])
  state.forget('sensors')
  expect(shown()).toEqual([undefined, undefined])
})
