import { aNode } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { cycleSort, type Sort } from '../../ui/table/sort.ts'
import { rerenderedColumns } from '../table/fixtures-rerendered-columns.ts'
import { type SummaryShown, type SummaryTab, summaryColumns } from './columns.tsx'
import { describeNode } from './rows.ts'
import { narrowed } from '../grid/columns.ts'
import { machineTracks, narrowTracks } from '../nodes/machine-tracks.ts'

const headers = (tab: SummaryTab, withPbs: boolean, withTemperature: boolean) =>
  summaryColumns(tab, { withPbs, withTemperature }).map(({ header }) => header)

test.each([
  ['overview', false, false, ['Node', 'Uptime', 'CPU', 'Memory', 'Disk', 'VMs', 'Containers']],
  ['overview', true, true, ['Node', 'Uptime', 'CPU', 'Memory', 'Disk', 'Temp', 'VMs', 'Containers']],
  ['storage', false, false, ['Node', 'Uptime', 'CPU', 'Memory', 'Disk', 'Storage', 'Disks']],
  ['backups', false, false, ['Node / PBS', 'Uptime', 'CPU', 'Memory', 'Disk', 'Backups']],
  ['backups', true, false, ['Node / PBS', 'Uptime', 'CPU', 'Memory', 'Storage / Disk', 'Backups']],
] as const)(
  '[spec 1 §2] columns of %s, with PBS %s, with temperature %s',
  (tab, withPbs, withTemperature, expected) => {
    expect(headers(tab, withPbs, withTemperature)).toEqual(expected)
  },
)

describe('[spec 1 §2] the sorting cycle', () => {
  const columns = summaryColumns('overview', { withPbs: true, withTemperature: true })

  test.each(columns.map(({ id, firstDirection }) => [id, firstDirection] as const))(
    '%s: sets, flips, default',
    (id, first) => {
      const column = { id, firstDirection: first }
      const steps: (Sort | undefined)[] = []
      let sort: Sort | undefined
      for (let click = 0; click < 3; click++) steps.push((sort = cycleSort(sort, column)))
      expect(steps.map((step) => step?.direction)).toEqual([
        first,
        first === 'asc' ? 'desc' : 'asc',
        undefined,
      ])
    },
  )

  test('name starts ascending, everything else descending', () => {
    expect(columns.filter(({ firstDirection }) => firstDirection === 'asc').map(({ id }) => id)).toEqual([
      'name',
    ])
  })
})

describe('both tables share one set of tracks', () => {
  const cases = (['overview', 'storage', 'backups'] as const).flatMap((tab) =>
    [false, true].map((withTemperature) => [tab, withTemperature] as const),
  )

  test.each(cases)('%s, with temperature %s', (tab, withTemperature) => {
    const columns = summaryColumns(tab, { withPbs: true, withTemperature })
    const { name, type, vmid, uptime, usage, rate } = machineTracks
    const guests = [name, type, vmid, uptime, usage, usage, usage, rate, rate, rate, rate]
    expect(columns.map(({ track }) => track).join(' ')).toBe(guests.join(' '))
    expect(columns.reduce((sum, { span = 1 }) => sum + span, 0)).toBe(guests.length)
  })

  test.each(cases)(
    'in a narrow window each fits its own 760 px: %s, with temperature %s',
    (tab, withTemperature) => {
      const columns = narrowed(summaryColumns(tab, { withPbs: true, withTemperature }))
      const widths = columns.flatMap(({ track }) => track.match(/[\d.]+(?=rem)/g)!.map(Number))
      expect(16 * widths.reduce((sum, width) => sum + width)).toBeLessThanOrEqual(narrowTracks.minWidth)
    },
  )

  test('[spec 1 §9] they fit the least width of a table', () => {
    const { name, type, vmid, uptime, usage, rate, minWidth } = machineTracks
    const least = [name, type, vmid, uptime, usage, usage, usage, rate, rate, rate, rate].map(
      (track) => 16 * Number(/[\d.]+(?=rem)/.exec(track)![0]),
    )
    expect(least.reduce((sum, width) => sum + width)).toBeLessThanOrEqual(minWidth)
    expect(minWidth).toBeLessThanOrEqual(900)
  })
})

describe('what an update renders of a line', () => {
  const columns = summaryColumns('overview', { withPbs: false, withTemperature: false })
  const shown = (node: Parameters<typeof aNode>[0], alert?: 'critical'): SummaryShown => ({
    recordId: 'main:pve1',
    row: describeNode(aNode(node), { vms: 3, containers: 2 }),
    alert,
    broken: false,
    dimmed: false,
    tabIndex: -1,
  })
  const again = (...after: Parameters<typeof shown>) => rerenderedColumns(columns, shown({}), shown(...after))

  test('a figure: its own cell', () => {
    expect(again({ cpu: 0.9 })).toEqual(['cpu'])
  })

  test('nothing that changed: nothing', () => {
    expect(again({})).toEqual([])
  })

  test('a version, an alert: the cell of the name', () => {
    expect(again({ pveVersion: 'pve-manager/9.9.9' })).toEqual(['name'])
    expect(again({}, 'critical')).toEqual(['name'])
  })
})
