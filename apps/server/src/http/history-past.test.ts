import type { ChangeCount, Guest, HistoryChange, PastState, StorageGrowth } from '@pulse/contract'
import { createLazyReader, type WireChange } from '@pulse/domain'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
/** before everything that happens below */
let calm: number
const clock = acceleratedClock(20, Date.now())
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })

const ask = (path: string, query: Record<string, string | number>) =>
  server.call('GET', `${path}?${new URLSearchParams(query as Record<string, string>)}`)

/** The guests of then, as the store of a browser has them. */
async function guestsAt(at: number): Promise<Map<number, Guest>> {
  const { status, body } = await ask('/api/history/state', { at })
  expect(status).toBe(200)
  const change = createLazyReader().read((body as PastState).frame as never) as WireChange
  return new Map([...(change.changed.guests?.put.values() ?? [])].map((guest) => [guest.vmid, guest]))
}

interface Page {
  changes: HistoryChange[]
  counts?: ChangeCount[]
  grown?: StorageGrowth[]
  cursor?: string
  oldest?: number
}
const changes = async (query: Record<string, string | number> = {}) =>
  (await ask('/api/history/changes', { from: calm, to: clock.now() + 60_000, ...query })).body as Page

beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 6, authDelayMs: 0, loadPeriodMs: 10_000 })
  lab.control.patchStorage('local', { node: 'pve1', used: 5e9 })
  server = await startTestServer(clock)
  await connectCluster(server, lab, { monitorStorage: true })
  lab.control.patchGuest(100, { status: 'running', name: 'web', cpu: 0.25 })
  lab.control.patchGuest(101, { status: 'running' })
  await until(async () => {
    const guests = await guestsAt(clock.now())
    expect(guests.size).toBe(6)
    expect(guests.get(100)).toMatchObject({ name: 'web', status: 'running' })
    expect(guests.get(100)!.cpu).toBeGreaterThan(0)
    expect(guests.get(100)!.memory!.free).toBeGreaterThan(0)
  })
  calm = clock.now()
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

test('[M 2] what happened to guests is listed, and the state before shows them as they were', async () => {
  const from = lab.control.guest(101).node
  const to = from === 'pve1' ? 'pve2' : 'pve1'
  await until(async () => expect(clock.now()).toBeGreaterThan(calm + 1_000))
  lab.control.patchGuest(100, { status: 'stopped', name: 'www' })
  lab.control.migrateGuest(101, to)
  await until(async () => {
    const found = (await changes({ kind: 'guests' })).changes
    const words = found.map(({ what, name, from: before, to: after }) => [what, name, before, after])
    expect(words).toContainEqual(['stopped', 'www', 'running', 'stopped'])
    expect(words).toContainEqual(['renamed', 'www', 'web', 'www'])
    expect(words).toContainEqual(['moved', expect.any(String), from, to])
    for (const { at } of found) expect(at).toBeGreaterThan(calm)
    const times = found.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
  })
  const before = await guestsAt(calm)
  expect(before.get(100)).toMatchObject({ name: 'web', status: 'running' })
  expect(before.get(100)!.cpu).toBeGreaterThan(0)
  expect(before.get(101)!.node).toBe(from)
  const after = await guestsAt(clock.now())
  expect(after.get(100)).toMatchObject({ name: 'www', status: 'stopped' })
  expect(after.get(101)!.node).toBe(to)
})

test('[M 2] the changes of one record, in pages', async () => {
  const { changes: all } = await changes({ kind: 'guests' })
  const { id } = all.find(({ what }) => what === 'renamed')!
  const own = await changes({ kind: 'guests', id })
  expect(own.changes).toEqual(all.filter((one) => one.id === id))
  expect(own).not.toHaveProperty('grown')
  const first = await changes({ kind: 'guests', id, limit: 1 })
  const second = await changes({ kind: 'guests', id, limit: 1, cursor: first.cursor! })
  expect([...first.changes, ...second.changes]).toEqual(own.changes.slice(0, 2))
})

test('[M 3.5] the first page counts what all pages have, and lists what was asked for', async () => {
  const { changes: all, counts } = await changes({ limit: 500 })
  const count = (what: string) =>
    counts!.filter((one) => one.kind === 'guests' && one.what === what).map((one) => one.count)
  expect([count('moved'), count('renamed')]).toEqual([[1], [1]])
  const some = await changes({ kind: 'guests,nodes', what: 'moved,renamed', limit: 1 })
  expect(some.counts).toEqual(counts)
  const rest = await changes({ kind: 'guests,nodes', what: 'moved,renamed', cursor: some.cursor! })
  expect(rest).not.toHaveProperty('counts')
  const wanted = all.filter(({ kind, what }) => kind === 'guests' && ['moved', 'renamed'].includes(what))
  expect([...some.changes, ...rest.changes]).toEqual(wanted)
})

test('[M 3.5] storages that grew say by how much, of how much, and where they are', async () => {
  lab.control.patchStorage('local', { node: 'pve1', used: 9e9 })
  await until(async () => {
    const { grown } = await changes()
    const local = grown!.find(({ name, where }) => name === 'local' && where === 'pve1')
    expect(local).toMatchObject({ kind: 'storage', total: expect.any(Number) })
    expect(local!.to - local!.from).toBeGreaterThan(3e9)
    expect(grown!.map(({ from, to }) => to - from)).toEqual(
      grown!.map(({ from, to }) => to - from).toSorted((a, b) => b - a),
    )
  })
})

test('[M 2] a question that makes no sense is refused', async () => {
  const now = clock.now()
  const refused = async (path: string, query: Record<string, string | number>) => {
    const { status, body } = await ask(path, query)
    expect(status).toBe(400)
    return (body as { error: string }).error
  }
  expect(await refused('/api/history/state', { at: 1_000 })).toMatch(/^at: The history of states begins at /)
  expect(await refused('/api/history/changes', { from: now, to: now })).toContain('before "to"')
  expect(await refused('/api/history/changes', { from: 0, to: now, id: 'x' })).toContain('kind')
  const ofTwo = { from: 0, to: now, id: 'x', kind: 'guests,nodes' }
  expect(await refused('/api/history/changes', ofTwo)).toContain('kind')
  expect(await refused('/api/history/changes', { from: 0, to: now, kind: 'guests,x' })).toContain('"x"')
  expect(await refused('/api/history/changes', { from: 0, to: now, what: 'exploded' })).toContain(
    '"exploded"',
  )
  expect(await refused('/api/history/changes', { from: 0, to: now, cursor: '1; DROP' })).toContain('cursor')
})

test('[M 1.3] a state of before a restart is there after it, and a time when Pulse was off says so', async () => {
  const before = await guestsAt(calm)
  let stoppedAt = 0
  await server.pausedFor(async () => {
    stoppedAt = clock.now()
    await until(async () => expect(clock.now()).toBeGreaterThan(stoppedAt + 300_000))
  })
  await until(async () => expect(await guestsAt(calm)).toEqual(before))
  const { body } = await ask('/api/history/state', { at: stoppedAt + 200_000 })
  expect(body).toMatchObject({ gap: 'off' })
})
