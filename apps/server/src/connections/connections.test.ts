import { type LiveEvent, type NodeInput } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { aMeta, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { usualPace, type Collector, type CollectorEdges } from '../collectors/source.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { createState } from '../state/state.ts'
import { createConnections } from './connections.ts'

const input: NodeInput = {
  type: 'pve',
  name: 'main',
  host: 'https://127.0.0.9:8006',
  tokenName: 'mon@pam!pulse',
  tokenValue: '1234-5678',
}

/** An area over collectors that note what happens to them, and a store that counts what is written. */
async function given() {
  const happened: string[] = []
  const events: LiveEvent[] = []
  let edges: CollectorEdges | undefined
  let writes = 0
  let copies = 0
  const collector: Collector = {
    start(connection, given) {
      happened.push(`start ${connection.name}`)
      edges = given
      return {
        apply: ({ name }) => void happened.push(`apply ${name}`),
        refresh: () => {},
        calls: () => ({}) as never,
        totals: () => ({}) as never,
        stop: () => Promise.resolve(void happened.push('stop')),
      }
    },
    test: () => Promise.resolve({ status: 'success', message: '' }),
  }
  const stored = new Map<string, Connection>()
  const write = (connection: Connection) =>
    Promise.resolve(void (stored.set(connection.id, connection), writes++))
  const store: ConnectionStore = {
    all: () => Promise.resolve([...stored.values()]),
    insert: write,
    update: write,
    learned: write,
    remove: (id) => Promise.resolve(void stored.delete(id)),
    replacing: () => [],
  }
  const area = createConnections({
    store,
    collectors: { pve: collector, pbs: collector, pmg: collector },
    state: createState(aMeta()),
    clock: fakeClock(),
    log: pino({ level: 'silent' }),
    publish: (event) => void events.push(event),
    onWrite: () => copies++,
    pace: () => usualPace,
  })
  const id = await area.add(input)
  happened.length = 0
  return { area, id, happened, events, learned: edges!.learned, counts: () => ({ writes, copies }) }
}

test.each<[string, Partial<NodeInput>]>([
  ['another name', { name: 'renamed' }],
  ['a flag of what is shown', { monitorContainers: false }],
  ['nothing at all', {}],
  ['the same address again', { host: 'https://127.0.0.9:8006' }],
])('%s is applied in place: who watches goes on', async (_what, change) => {
  const { area, id, happened } = await given()
  await area.change(id, { type: 'pve', ...change })
  expect(happened).toEqual([`apply ${change.name ?? 'main'}`])
})

test.each<[string, Partial<NodeInput>]>([
  [
    'another address',
    { host: 'https://127.0.0.10:8006', tokenName: 'mon@pam!pulse', tokenValue: '1234-5678' },
  ],
  ['another token', { tokenName: 'mon@pam!pulse', tokenValue: '8765' }],
  ['a pin', { fingerprint: 'ab'.repeat(32), tokenName: 'mon@pam!pulse', tokenValue: '1234-5678' }],
  ['no check of the certificate', { verifySSL: false, tokenName: 'mon@pam!pulse', tokenValue: '1234-5678' }],
])('%s begins anew', async (_what, change) => {
  const { area, id, happened } = await given()
  await area.change(id, { type: 'pve', ...change })
  expect(happened).toEqual(['stop', 'start main'])
})

const member = (name: string, online: boolean) => ({
  NodeID: name,
  NodeName: name,
  Host: `https://127.0.0.9:8006`,
  IP: '127.0.0.9',
  Online: online,
})

test('a member that comes and goes a hundred times is written once, shown as it is, and tells nobody', async () => {
  const { area, learned, events, counts } = await given()
  const tell = async (online: boolean) => {
    learned({
      clusterName: 'lab',
      clusterEndpoints: [member('pve1', true), member('pve2', online)],
      memberFingerprints: { pve1: 'aa', pve2: 'bb' },
    })
    await area.inTurn(() => Promise.resolve())
  }
  await tell(true)
  const before = { ...counts(), events: events.length }
  for (let flap = 0; flap < 100; flap++) await tell(flap % 2 === 1)
  await tell(false)
  expect({ ...counts(), events: events.length }).toEqual(before)
  expect(area.list()[0]!.clusterEndpoints!.map(({ Online }) => Online)).toEqual([true, false])

  learned({
    clusterName: 'lab',
    clusterEndpoints: [member('pve1', true)],
    memberFingerprints: { pve1: 'aa' },
  })
  await area.inTurn(() => Promise.resolve())
  expect(counts().writes).toBe(before.writes + 1)
})
