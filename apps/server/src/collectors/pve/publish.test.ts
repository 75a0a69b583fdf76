import type { Observation } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { inTurns } from '../../polling/turns.ts'
import { SourceHealth } from './health.ts'
import type { MapContext } from './map.ts'
import { publishCluster } from './publish.ts'

function* steps(count: number) {
  for (let n = 0; n < count; n++) yield n
}

function given(onStep: () => void = () => {}) {
  const clock = fakeClock(0)
  const health = new SourceHealth({ clock, judged: clock.monotonic })
  const told: Observation[] = []
  const mapped: MapContext[] = []
  const cluster = { name: 'prod', isCluster: true, isDegraded: () => false }
  const publisher = publishCluster({
    clock,
    judged: clock.monotonic,
    log: pino({ level: 'silent' }),
    health,
    cluster,
    nodes: { lost: () => new Map() },
    connection: { id: 'c1', name: 'main', kind: 'pve', flags: {} },
    pace: () => ({ backupsMs: 90_000 }),
    wallOffset: () => 0,
    known: () => ({
      async map(context) {
        mapped.push(context)
        await inTurns(steps(5))
        onStep()
      },
      records: () => ({}),
      reading: () => [],
      nextExpiry: () => Infinity,
    }),
    excess: () => undefined,
    observe: (observation) => void told.push(observation),
  })
  health.answered('listing', 0)
  health.listed(0, 60_000)
  return { clock, publisher, told, mapped, cluster }
}

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => void setImmediate(resolve))
}

test('others have their turn while a picture is made, which is told at once and as a whole', async () => {
  const { clock, publisher, told } = given()
  publisher.soon(0)
  await clock.advance(0)
  expect(told).toEqual([])
  await turns(3)
  expect(told).toEqual([])
  await turns(5)
  expect(told).toHaveLength(1)
})

test('what is to be told while a picture is made is in the next one', async () => {
  const { clock, publisher, told } = given()
  publisher.soon(0)
  await clock.advance(0)
  publisher.soon(0)
  await clock.advance(0)
  await turns(12)
  await clock.advance(0)
  await turns(12)
  expect(told).toHaveLength(2)
})

test('what all records share and has changed meanwhile is mapped in turns too', async () => {
  const { clock, publisher, told, mapped, cluster } = given(() => (cluster.name = 'renamed'))
  publisher.soon(0)
  await clock.advance(0)
  await turns(20)
  expect(mapped.map(({ clusterName }) => clusterName)).toEqual(['prod', 'renamed'])
  expect(told).toHaveLength(1)
})

test('after its end nothing is told', async () => {
  const { clock, publisher, told } = given()
  publisher.soon(0)
  await clock.advance(0)
  publisher.stop()
  await turns(12)
  expect(told).toEqual([])
})
