import { type LiveEvent, type NodeInput } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
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

/** A connection area with collectors that record their calls, and a store that counts writes. */
async function given() {
  const happened: string[] = []
  const events: LiveEvent[] = []
  let edges: CollectorEdges | undefined
  const firstAfterMs: (number | undefined)[] = []
  let writes = 0
  let copies = 0
  let isStuck = false
  const logLines: string[] = []
  const state = createState(aMeta())
  const collector: Collector = {
    start(connection, given) {
      happened.push(`start ${connection.name}`)
      edges = given
      firstAfterMs.push(given.firstAfterMs)
      return {
        apply: ({ name }) => void happened.push(`apply ${name}`),
        refresh: () => {},
        calls: () => ({}) as never,
        totals: () => ({}) as never,
        polling: () => ({}) as never,
        stop: () =>
          isStuck ? Promise.reject(new Error('stuck')) : Promise.resolve(void happened.push('stop')),
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
    state,
    clock: fakeClock(),
    log: pino({ level: 'error' }, { write: (line: string) => void logLines.push(line) }),
    publish: (event) => void events.push(event),
    onWrite: () => copies++,
    pace: () => usualPace,
  })
  const id = await area.add(input)
  happened.length = 0
  return {
    area,
    id,
    happened,
    events,
    state,
    logLines,
    stored,
    firstAfterMs,
    observe: edges!.observe,
    learned: edges!.learned,
    counts: () => ({ writes, copies }),
    /** From now on every collector fails to stop. */
    getStuck: () => void (isStuck = true),
  }
}

test.each<[string, Partial<NodeInput>]>([
  ['another name', { name: 'renamed' }],
  ['a flag of what is shown', { monitorContainers: false }],
  ['another site', { site: 'Berlin' }],
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
])('%s begins again', async (_what, change) => {
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

test.each([
  ['192.0.2.7', 'https://192.0.2.7:8006'],
  ['2001:db8:0:0::7', '2001:db8::7'],
])('the address of a member %s is not watched a second time', async (ip, host) => {
  const { area, learned } = await given()
  learned({
    clusterName: 'lab',
    clusterEndpoints: [{ ...member('pve2', true), IP: ip, Host: 'https://pve2:8006' }],
    memberFingerprints: {},
  })
  await area.runExclusive(() => Promise.resolve())
  await expect(area.add({ ...input, name: 'again', host })).rejects.toThrow(
    'already monitored as part of the cluster "lab"',
  )
})

test('a member that comes and goes a hundred times is written once, shown as it is, and sends no notification', async () => {
  const { area, learned, events, counts } = await given()
  const tell = async (online: boolean) => {
    learned({
      clusterName: 'lab',
      clusterEndpoints: [member('pve1', true), member('pve2', online)],
      memberFingerprints: { pve1: 'aa', pve2: 'bb' },
    })
    await area.runExclusive(() => Promise.resolve())
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
  await area.runExclusive(() => Promise.resolve())
  expect(counts().writes).toBe(before.writes + 1)
})

describe('a source whose collector does not end cleanly', () => {
  async function stuck() {
    const one = await given()
    const pending = { name: 'main', kind: 'pve', health: 'healthy' } as const
    one.observe({ source: one.id, records: { guests: new Map([['g', aGuest()]]) }, state: pending })
    expect(one.state.tables.guests.size).toBe(1)
    one.getStuck()
    return one
  }
  const elsewhere = { host: 'https://127.0.0.10:8006', tokenName: 'mon@pam!pulse', tokenValue: '1234-5678' }

  test.each([
    ['removed', (one: Awaited<ReturnType<typeof given>>) => one.area.remove(one.id)],
    [
      'left out of what is stored',
      (one: Awaited<ReturnType<typeof given>>) => {
        one.stored.clear()
        return one.area.reload()
      },
    ],
  ])('is %s with all its records, and that is reported', async (_how, leave) => {
    const one = await stuck()
    await leave(one)
    expect(one.area.list()).toEqual([])
    expect(one.state.tables.guests.size + one.state.tables.sources.size).toBe(0)
    expect(one.events.at(-1)).toMatchObject({ type: expect.stringMatching(/^node/) })
    expect(one.logLines.join('')).toContain('did not stop cleanly')
  })

  test('is asked at its new address all the same', async () => {
    const one = await stuck()
    await one.area.change(one.id, { type: 'pve', ...elsewhere })
    expect(one.happened).toEqual(['start main'])
    expect(one.area.list()[0]!.host).toBe('https://127.0.0.10:8006')
  })
})

test.each([
  [1, [0]],
  [3, [0, 50, 100]],
  [50, Array.from({ length: 50 }, (_, index) => index * 5)],
])(
  '[design 9] %i that are stored are asked for the first time one after the other, within a quarter of a second; one that is added, at once',
  async (count, expected) => {
    const { area, stored, firstAfterMs } = await given()
    expect(firstAfterMs.splice(0)).toEqual([0])
    const [one] = stored.values()
    for (let n = 1; n < count; n++) stored.set(`pve-${n}`, { ...one!, id: `pve-${n}`, name: `host ${n}` })
    await area.start()
    expect(firstAfterMs).toEqual(expected)
  },
)

test('what is added, changed or read again while Pulse stops is not watched any more', async () => {
  const { area, id, happened, stored } = await given()
  await area.stop!()
  happened.length = 0
  await area.add({ ...input, name: 'other', host: 'https://127.0.0.10:8006' })
  await area.change(id, { type: 'pve', name: 'renamed' }).catch(() => undefined)
  await area.reload()
  expect(happened).toEqual([])
  // the stored connection exists after the next start
  expect([...stored.values()].map(({ name }) => name)).toContain('other')
})
