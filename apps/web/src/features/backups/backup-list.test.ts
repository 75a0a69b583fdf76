import type { PbsBackup } from '@pulse/contract'
import { backupFields, compileSearch } from '@pulse/domain'
import { aGuest, aPbsBackup, aSnapshot, aStorageBackup, BUILT_AT } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createBackupIndex } from './backup-index.ts'
import { type BackupQuery, countDays, createBackupListSelector } from './backup-list.ts'
import { dayOf } from '../../lib/days.ts'
import { partsOfGroup } from '../../parts/backups/backup-row.ts'
import { noFilters } from './filter.ts'
import { selectGroupNames } from './group-head.tsx'

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(BUILT_AT - days * DAY).toISOString()
const day = (days: number) => dayOf(BUILT_AT - days * DAY)

const base: BackupQuery = {
  ...noFilters,
  matches: () => true,
  sort: { key: 'backupTime', direction: 'desc' },
  hostKey: undefined,
  day: undefined,
}

const estate = {
  guests: {
    'main:100': aGuest({ vmid: 100, name: 'web' }),
    'main:105': aGuest({ vmid: 105, name: 'db', type: 'lxc' as const }),
  },
  pveBackups: {
    snap: aSnapshot({ time: daysAgo(0) }),
    file: aStorageBackup({
      vmid: 105,
      type: 'lxc',
      ctime: (BUILT_AT - 2 * DAY) / 1000,
      node: 'pve2',
      size: 9,
    }),
  },
  pbsBackups: {
    old: aPbsBackup({ backupTime: daysAgo(9), size: 7 }),
    host: aPbsBackup({ backupTime: daysAgo(2), backupType: 'host', vmid: 'nas', size: 5 }),
  },
}

function list(query: Partial<BackupQuery> = {}, live = aLive(estate)) {
  return createBackupListSelector({ ...base, ...query }, createBackupIndex())(live.store)
}
const ids = (query: Partial<BackupQuery> = {}) =>
  list(query)
    .rows.filter((row) => row.startsWith('backup:'))
    .map((row) => row.slice('backup:'.length))

describe('[spec 1 §2] filters', () => {
  test.each([
    [{ source: 'snapshot' }, ['snap']],
    [{ source: 'local' }, ['file']],
    [{ source: 'remote' }, ['host', 'old']],
    [{ type: 'vm' }, ['snap', 'old']],
    [{ type: 'lxc' }, ['file']],
    [{ type: 'host' }, ['host']],
    [{ hostKey: 'main\0pve2' }, ['file']],
    [{ hostKey: 'backup' }, ['host', 'old']],
    [{ day: day(9) }, ['old']],
    [{ matches: compileSearch('db', backupFields) }, ['file']],
  ] as [Partial<BackupQuery>, string[]][])('%o', (query, expected) => {
    expect(ids(query)).toEqual(expected)
  })
})

describe('[spec 1 §2] groups', () => {
  test('by date the newest day first, unless the oldest backups are', () => {
    expect(list().rows).toEqual([
      `head:${day(0)}`,
      'backup:snap',
      `head:${day(2)}`,
      'backup:file',
      'backup:host',
      `head:${day(9)}`,
      'backup:old',
    ])
    expect(list({ sort: { key: 'backupTime', direction: 'asc' } }).rows[0]).toBe(`head:${day(9)}`)
    expect(list({ sort: { key: 'name', direction: 'asc' } }).rows[0]).toBe(`head:${day(0)}`)
  })

  test('by guest all of one are together, and counted', () => {
    const live = aLive(estate)
    const { rows, groupSizes } = list({ grouping: 'guest' }, live)
    const head = rows[0]!.slice('head:'.length)
    expect(rows.slice(1, 3)).toEqual(['backup:snap', 'backup:old'])
    const names = selectGroupNames(live.store, head, { rows, indexOf: createBackupIndex() })
    expect([partsOfGroup(head).vmid, names, groupSizes.get(head)]).toEqual([
      '100',
      { name: 'web', instance: 'main' },
      2,
    ])
  })
})

test('[spec 1 §4] empty values sort last either way, and a group stands where its first backup would', () => {
  const sized = (direction: 'asc' | 'desc') => ids({ grouping: 'guest', sort: { key: 'size', direction } })
  expect(sized('desc')).toEqual(['file', 'old', 'snap', 'host'])
  expect(sized('asc')).toEqual(['host', 'old', 'snap', 'file'])
})

describe('the days of the chart', () => {
  test('[spec 1 §3] count by source what is filtered', () => {
    const days = countDays(list().counts)
    expect(days.get(day(2))).toEqual({ date: day(2), total: 2, snapshots: 0, pve: 1, pbs: 1 })
    expect(countDays(list({ source: 'local' }).counts).get(day(2))?.total).toBe(1)
    expect(days.has(day(5))).toBe(false)
  })

  test('stay when one of them is chosen: only the rows are of that day', () => {
    const { counts, rows } = list({ day: day(2) })
    expect(countDays(counts)).toEqual(countDays(list().counts))
    expect(rows).toHaveLength(3)
  })
})

describe('50,000 backups', () => {
  const many = (count: number): Record<string, PbsBackup> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `p${at}`,
        aPbsBackup({ vmid: String(at % 500), backupTime: daysAgo(at % 365), datastore: `d${at}` }),
      ]),
    )

  test('filter and sort touch each record once; a change touches what changed', () => {
    const live = aLive({ pbsBackups: many(50_000) })
    const indexOf = createBackupIndex()
    let matched = 0
    const select = createBackupListSelector(
      {
        ...base,
        sort: { key: 'name', direction: 'asc' },
        matches: () => {
          matched++
          return true
        },
      },
      indexOf,
    )
    expect(select(live.store).rows).toHaveLength(50_000 + 365)
    expect(matched).toBe(50_000)
    live.put({ pbsBackups: { p1: aPbsBackup({ backupTime: daysAgo(1), datastore: 'd1', size: 5 }) } })
    select(live.store)
    expect(matched).toBe(50_001)
    select(live.store)
    expect(matched).toBe(50_001)
  })
})
