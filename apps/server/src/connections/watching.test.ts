import { type Connection, type Observation, Secret } from '@pulse/domain'
import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  type Collector,
  type CollectorEdges,
  type RunningCollector,
  usualPace,
} from '../collectors/source.ts'
import { createState } from '../state/state.ts'
import { createWatching } from './watching.ts'

const source = 'c1'
const connection: Connection = {
  id: source,
  kind: 'pve',
  name: 'pve',
  host: 'https://127.0.0.1:9',
  auth: { type: 'token', tokenId: 'pulse@pve!pulse', secret: new Secret('secret') },
  verifySSL: true,
  flags: {},
}

/** A source that publishes the records of a test. */
function given() {
  let observe: CollectorEdges['observe']
  const running = { stop: () => Promise.resolve(), apply: () => {} } as unknown as RunningCollector
  const collector = {
    start: (_connection: unknown, edges: CollectorEdges) => {
      observe = edges.observe
      return running
    },
  } as Collector
  const state = createState(aMeta())
  const watching = createWatching(
    {
      collectors: { pve: collector, pbs: collector, pmg: collector },
      state,
      clock: fakeClock(),
      log: pino({ level: 'silent' }),
      pace: () => usualPace,
    },
    () => {},
  )
  return { state, watching, say: (observation: Observation) => observe(observation) }
}

test('a source that is removed while its old records are marked does not come back', async () => {
  const { state, watching, say } = given()
  // more than the state marks in one turn of the event loop
  const guests = Array.from(
    { length: 2_000 },
    (_, vmid) => [`${source}:${vmid}`, aGuest({ source, vmid })] as const,
  )
  watching.begin(connection)
  await say({
    source,
    records: { guests: new Map(guests) },
    state: { name: 'pve', kind: 'pve', health: 'healthy' },
  })
  await watching.change({ ...connection, host: 'https://127.0.0.1:10' })
  expect(state.tables.guests.size).toBe(2_000)
  const said = say({ source, records: {}, state: { name: 'pve', kind: 'pve', health: 'error' } })
  await watching.end(source)
  await said
  expect(state.tables.sources.size).toBe(0)
  expect(state.tables.guests.size).toBe(0)
})
