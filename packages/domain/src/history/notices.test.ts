import type { AnyRecord, Guest, RecordKind } from '@pulse/contract'
import { aCephCluster, aDisk, aGuest, aNode, aProtection } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { ChangeLog } from './change-log.ts'
import { type ChangeEntry, ChangeReader } from './change-reader.ts'
import { memoryChanges } from './fixtures-change-storage.ts'
import { finished } from './fixtures-notices.ts'
import { toLogged } from './logged-fields.ts'
import { noticesOf } from './notices.ts'

const none = () => undefined
const place = (kind: RecordKind) => ({ at: 5, kind, id: 'x' })
const found = (kind: RecordKind, before: AnyRecord | undefined, after: AnyRecord | undefined) =>
  noticesOf(place(kind), before && toLogged(kind, before), after && toLogged(kind, after), none).map(
    ({ at: _at, kind: _kind, id: _id, name: _name, where: _where, vmid: _vmid, ...rest }) => rest,
  )
const guest = (change: Partial<Guest> = {}) => aGuest({ name: 'web', ...change })
const old = guest()

test.each<[string, Partial<Guest>, object[]]>([
  ['nothing', {}, []],
  ['a figure', { cpu: 0.9 }, []],
  ['moved', { node: 'pve2' }, [{ what: 'moved', from: 'pve1', to: 'pve2' }]],
  [
    'stopped',
    { status: 'stopped', startedAt: undefined },
    [{ what: 'stopped', from: 'running', to: 'stopped' }],
  ],
  ['unknown', { status: 'unknown' }, []],
  [
    'on a node that is down, without its name, tags and sizes',
    { status: 'unknown', name: 'VM 100', tags: '', cpus: 0, disk: { total: 0 } },
    [],
  ],
  [
    'restarted',
    { startedAt: old.startedAt! + 3_600_000 },
    [{ what: 'restarted', from: old.startedAt, to: old.startedAt! + 3_600_000 }],
  ],
  ['the same start, measured again', { startedAt: old.startedAt! + 900 }, []],
  ['resized', { cpus: 8 }, [{ what: 'resized', field: 'cpus', from: 4, to: 8 }]],
  ['renamed', { name: 'www' }, [{ what: 'renamed', from: 'web', to: 'www' }]],
  ['tagged', { tags: 'prod' }, [{ what: 'tagged', to: 'prod' }]],
  ['locked for a backup', { lock: 'backup' }, [{ what: 'backupStarted' }]],
  ['locked for something else', { lock: 'snapshot' }, []],
  ['a template now', { template: true }, [{ what: 'converted' }]],
])('[M 3.5] %s', (_, change, expected) => {
  expect(found('guests', old, guest(change))).toEqual(expected)
})

test('[M 3.1] a backup ends with the lock, also if that is another one then', () => {
  for (const lock of [undefined, 'snapshot-delete'])
    expect(found('guests', guest({ lock: 'backup' }), guest({ lock }))).toEqual([{ what: 'backupEnded' }])
  // the node is down: nothing is known about it
  expect(found('guests', guest({ lock: 'backup' }), guest({ status: 'unknown' }))).toEqual([])
})

test('[M 3.5] disks that fail, versions, and backups that stopped', () => {
  expect(found('physicalDisks', aDisk(), aDisk({ health: 'FAILED' }))).toEqual([
    { what: 'failing', from: 'PASSED', to: 'FAILED' },
  ])
  expect(found('nodes', aNode({ pveVersion: '9.0' }), aNode({ pveVersion: '9.1' }))).toEqual([
    { what: 'version', field: 'pveVersion', from: '9.0', to: '9.1' },
  ])
  const failed = aProtection({ failed: { at: 1, error: 'no space' }, inJob: false })
  expect(found('protections', aProtection(), failed)).toEqual([
    { what: 'unprotected', field: 'failed' },
    { what: 'unprotected', field: 'no-job' },
  ])
  expect(found('protections', failed, aProtection())).toEqual([])
})

test('[M 3.5] a new disk that is already failing says so', () => {
  expect(found('physicalDisks', undefined, aDisk({ health: 'FAILED' }))).toEqual([
    { what: 'came' },
    { what: 'failing', to: 'FAILED' },
  ])
  expect(found('physicalDisks', undefined, aDisk())).toEqual([{ what: 'came' }])
  expect(found('physicalDisks', aDisk({ health: 'FAILED' }), undefined)).toEqual([{ what: 'went' }])
})

test('[M 4] a hostile text is cut', () => {
  const [notice] = noticesOf(
    place('guests'),
    guest() as never,
    guest({ name: 'x'.repeat(9_999), node: 'n'.repeat(9_999) }) as never,
    none,
  )
  expect(notice!.what).toBe('moved')
  expect([notice!.name, notice!.where!, String(notice!.to)].map(({ length }) => length)).toEqual([
    200, 200, 200,
  ])
})

const hour = 3_600_000

function aLog() {
  const log = new ChangeLog(memoryChanges())
  const source = (at: number): ChangeEntry => ({
    at,
    kind: 'sources',
    id: 'main',
    do: 'put',
    fields: { name: 'prod', kind: 'pve', health: 'healthy' },
  })
  const put = (at: number, id: string, change: Partial<Guest> = {}): ChangeEntry => ({
    at,
    kind: 'guests',
    id,
    do: 'put',
    fields: toLogged('guests', guest({ source: 'main', ...change })),
  })
  const words = (query: Partial<Parameters<ChangeLog['notices']>[0]> = {}) =>
    finished(log.notices({ from: 0, to: Infinity, most: 100, ...query }))
  return { log, source, put, words }
}

test('what comes with its source, or goes with it, is one notice: that of the source', () => {
  const { log, source, put, words } = aLog()
  log.append([source(0), put(1, 'main:100'), put(hour, 'main:101')], hour)
  const gone = { at: 2 * hour, do: 'remove' } as const
  log.append(
    [
      { ...gone, kind: 'sources', id: 'main' },
      { ...gone, kind: 'guests', id: 'main:100' },
    ],
    2 * hour,
  )
  expect(words().notices.map(({ what, id }) => `${id} ${what}`)).toEqual([
    'main went',
    'main:101 came',
    'main came',
  ])
})

test('[M 3.5] a container host comes and goes under its own name, not under that of its connection', () => {
  const { log, words } = aLog()
  const id = 'docker-0af3'
  log.append(
    [
      { at: 0, kind: 'sources', id, do: 'put', fields: { name: id, kind: 'docker', health: 'healthy' } },
      { at: 1, kind: 'dockerHosts', id, do: 'put', fields: { source: id, displayName: 'dock1' } },
      { at: 1, kind: 'dockerContainers', id: `${id}:web`, do: 'put', fields: { source: id, name: 'web' } },
    ],
    1,
  )
  const gone = { at: hour, do: 'remove' } as const
  log.append(
    [
      { ...gone, kind: 'sources', id },
      { ...gone, kind: 'dockerHosts', id },
      { ...gone, kind: 'dockerContainers', id: `${id}:web` },
    ],
    hour,
  )
  expect(words().notices.map(({ kind, name, what }) => [kind, name, what])).toEqual([
    ['dockerHosts', 'dock1', 'went'],
    ['dockerHosts', 'dock1', 'came'],
  ])
})

test.each([
  ['pve', 'prod', 'prod'],
  ['pve', 'pbs-farm', 'pbs-farm'],
  ['pbs', 'pbs-vault', 'vault'],
  ['pmg', 'pmg-relay', 'relay'],
])('[M 3.5] a connection has the name that it was given: %s %s', (kind, name, given) => {
  const source = { name, kind, health: 'healthy' } as AnyRecord
  const [notice] = noticesOf(place('sources'), undefined, toLogged('sources', source), none)
  expect(notice!.name).toBe(given)
})

test('pages are whole and without overlap, also while rows are written', () => {
  const { log, source, put, words } = aLog()
  log.append([source(0)], 0)
  const times = Array.from({ length: 50 }, (_, n) => hour + n * 20_000)
  for (const at of times) log.append([put(at, 'main:100', { name: `web${at}` })], at)
  const seen: number[] = []
  let cursor: string | undefined
  let later = times.at(-1)!
  do {
    const page = words({ most: 3, ...(cursor !== undefined && { cursor }) })
    seen.push(...page.notices.map(({ at }) => at))
    ;({ cursor } = page)
    log.append([put(++later, 'main:100', { name: `later${later}` })], later)
    log.flush()
  } while (cursor !== undefined)
  expect(seen).toEqual([...times.toReversed(), 0])
  expect(
    words({ ids: [{ id: 'main:100', from: 0, to: Infinity }], from: times[1]!, to: times[3]! }).notices.map(
      ({ at }) => at,
    ),
  ).toEqual([times[2], times[1]])
})

test('a record that was removed while Pulse was off is noticed once its source has listed what it has', () => {
  const { log, source, put, words } = aLog()
  log.append([source(0), put(hour, 'main:100'), put(hour, 'main:101')], hour)
  const reader = new ChangeReader({ now: () => 3 * hour, monotonic: () => 0 })
  const guests = new Map([['main:101', guest({ source: 'main' })]])
  const tables = new Proxy({} as never, { get: (_, kind) => (kind === 'guests' ? guests : new Map()) })
  log.append([...reader.list(tables, new Set(['main']))], 3 * hour)
  expect(words().notices[0]).toMatchObject({ id: 'main:100', what: 'went', at: 3 * hour })
  expect([...log.at(3 * hour)!.of('guests')].map(([id]) => id)).toEqual(['main:101'])
})

test('a source that was removed while Pulse was off is one notice, and its records are gone', () => {
  const { log, source, put, words } = aLog()
  log.append([source(0), put(hour, 'main:100'), put(hour, 'main:101')], hour)
  const reader = new ChangeReader({ now: () => 3 * hour, monotonic: () => 0 })
  const tables = new Proxy({} as never, { get: () => new Map() })
  log.append([...reader.list(tables, new Set(['']))], 3 * hour)
  const gone = words({ from: 2 * hour }).notices
  expect(gone.map(({ what, id }) => `${id} ${what}`)).toEqual(['main went'])
  expect([...log.at(3 * hour)!.of('guests')]).toEqual([])
})

test('[M 3.5] notices are counted by kind and word, and only those of the asked ones are listed', () => {
  const { log, source, put, words } = aLog()
  log.append([source(0)], 0)
  for (let n = 1; n <= 5; n++) log.append([put(hour + n * 60_000, 'main:100', { name: `web${n}` })], hour)
  log.append([put(2 * hour, 'main:100', { name: 'web5', cpus: 16 })], 2 * hour)
  const counts = [
    { kind: 'guests', what: 'renamed', count: 4 },
    { kind: 'guests', what: 'came', count: 1 },
    { kind: 'guests', what: 'resized', count: 1 },
    { kind: 'sources', what: 'came', count: 1 },
  ]
  const all = finished(log.noticeCounts(0, Infinity))
  expect(all.isWhole).toBe(true)
  expect(all.counts.toSorted((a, b) => b.count - a.count)).toEqual(expect.arrayContaining(counts))
  expect(all.counts).toHaveLength(counts.length)
  expect(finished(log.noticeCounts(2 * hour, 3 * hour)).counts).toEqual([
    { kind: 'guests', what: 'resized', count: 1 },
  ])
  const listed = (query: Parameters<typeof words>[0]) => words(query).notices.map(({ what }) => what)
  expect(listed({ words: ['came', 'resized'] })).toEqual(['resized', 'came', 'came'])
  expect(listed({ words: ['came', 'resized'], kinds: ['guests'] })).toEqual(['resized', 'came'])
})

test('[M 4] no more than 20,000 notices are counted', () => {
  const { log, source, put } = aLog()
  log.append([source(0)], 0)
  const entries = Array.from({ length: 22_000 }, (_, n) => put(hour, `main:${n}`))
  for (let n = 0; n < entries.length; n += 500) log.append(entries.slice(n, n + 500), hour)
  const { counts, isWhole } = finished(log.noticeCounts(0, Infinity))
  expect(isWhole).toBe(false)
  expect(counts).toHaveLength(1)
  expect(counts[0]!.count).toBeGreaterThanOrEqual(20_000)
  expect(counts[0]!.count).toBeLessThan(22_500)
})

test('[M 3.5] the health of a Ceph cluster; one that is derived from its storages has none', () => {
  const health = (word: string) => aCephCluster({ health: word })
  expect(found('cephClusters', health('HEALTH_OK'), health('HEALTH_WARN'))).toEqual([
    { what: 'status', from: 'HEALTH_OK', to: 'HEALTH_WARN' },
  ])
  expect(
    found('cephClusters', health('HEALTH_OK'), aCephCluster({ health: 'HEALTH_OK', numPGs: 3 })),
  ).toEqual([])
  expect(found('cephClusters', health('HEALTH_OK'), health('HEALTH_UNKNOWN'))).toEqual([])
})
