import { anAlert } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { type AlertFilter, arrangeAlerts, choicesOf, noFilter } from './arrange.ts'

const alerts = new Map(
  [
    anAlert({
      id: 'a',
      resourceName: 'web',
      node: 'pve2',
      level: 'warning',
      startTime: '2026-01-01T10:00:00Z',
    }),
    anAlert({
      id: 'b',
      resourceName: 'db',
      node: 'pve10',
      level: 'critical',
      startTime: '2026-01-01T09:00:00Z',
    }),
    anAlert({
      id: 'c',
      resourceName: 'tank',
      node: 'pve2',
      type: 'zfs-pool-state',
      level: 'warning',
      message: 'ZFS pool tank is DEGRADED',
      startTime: '2026-01-01T11:00:00Z',
    }),
    anAlert({
      id: 'd',
      resourceName: 'pbs1',
      node: '',
      site: 'Berlin',
      level: 'critical',
      acknowledged: true,
    }),
  ].map((alert) => [alert.id, alert]),
)
const arrange = (change: Partial<Parameters<typeof arrangeAlerts>[2]> = {}) =>
  arrangeAlerts(alerts, ({ acknowledged }) => acknowledged, {
    filter: noFilter,
    grouping: 'none',
    showsAcknowledged: true,
    ...change,
  })

test('[spec 3 §2] by default: unacknowledged first, then critical, then the newest', () => {
  expect(arrange().rows).toEqual(['b', 'c', 'a', 'd'])
  expect(arrange({ showsAcknowledged: false }).rows).toEqual(['b', 'c', 'a'])
})

test.each([
  [{ search: 'DEGRADED' }, ['c']],
  [{ search: 'zfs pool state' }, ['c']],
  [{ search: 'pve2' }, ['c', 'a']],
  [{ search: ' web ' }, ['a']],
  [{ search: 'site:ber' }, ['d']],
  [{ search: 'Site:Berlin pbs' }, ['d']],
  [{ search: 'site:berlin web' }, []],
  [{ search: 'site:main pve2' }, ['c', 'a']],
  [{ level: 'critical' }, ['b', 'd']],
  [{ level: 'warning' }, ['c', 'a']],
  [{ kind: 'CPU' }, ['b', 'a', 'd']],
  [{ node: 'pve2', kind: 'CPU' }, ['a']],
] as [Partial<AlertFilter>, string[]][])('the filter %j finds %j', (filter, ids) => {
  const { rows, unacknowledged, counts } = arrange({ filter: { ...noFilter, ...filter } })
  expect(rows).toEqual(ids)
  expect(unacknowledged).toEqual(ids.filter((id) => id !== 'd').toSorted())
  // the summary cards count all alerts
  expect(counts).toEqual({ active: 3, acknowledged: 1 })
})

describe('groups', () => {
  test('stand below heads, the most urgent first, each in the same order', () => {
    expect(arrange({ grouping: 'node' }).rows).toEqual([
      'group:pve10',
      'b',
      'group:pve2',
      'c',
      'a',
      'group:No node',
      'd',
    ])
    const { rows, groups } = arrange({ grouping: 'cause' })
    expect(rows).toEqual(['group:CPU', 'b', 'a', 'd', 'group:ZFS pool state', 'c'])
    expect(groups.get('group:CPU')).toEqual({ name: 'CPU', ids: ['b', 'a', 'd'], critical: 1 })
  })

  test('hold what the filter finds only', () => {
    const filter = { ...noFilter, node: 'pve2' }
    expect(arrange({ grouping: 'cause', filter }).rows).toEqual([
      'group:CPU',
      'a',
      'group:ZFS pool state',
      'c',
    ])
  })
})

test('kinds and nodes can be chosen as far as there are alerts of them, pve2 before pve10', () => {
  expect(choicesOf(alerts)).toEqual({ kinds: ['CPU', 'ZFS pool state'], nodes: ['pve2', 'pve10'] })
})

test('a backup server is found, chosen and grouped by its name, not by its address', () => {
  const datastore = anAlert({
    id: 'e',
    resourceName: 'main',
    node: 'https://192.0.2.7:8007',
    instance: 'pbs1',
  })
  const one = new Map([['e', datastore]])
  expect(choicesOf(one).nodes).toEqual(['pbs1'])
  const filter = { ...noFilter, node: 'pbs1', search: 'PBS1' }
  const arranged = arrangeAlerts(one, () => false, { filter, grouping: 'node', showsAcknowledged: true })
  expect(arranged.rows).toEqual(['group:pbs1', 'e'])
})
