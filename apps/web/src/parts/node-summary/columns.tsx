import { formatNumber } from '../../lib/format.ts'
import { rem } from '../../lib/text-scale.ts'
import type { SortValue } from '../../ui/table/sort.ts'
import type { AlertLevel } from '../alerts/alert-levels.ts'
import { NumberCell, Uptime, UptimeCell } from '../cells/cells.tsx'
import { type GridColumn, spanClass } from '../grid/columns.ts'
import { machineTracks, narrowTracks } from '../nodes/machine-tracks.ts'
import type { Column } from '../table/column.ts'
import { drawFigure, drawTemperatureCell, drawUsageOf, isStale, Temperature } from './cells.tsx'
import type { CountId, SummaryRow } from './rows.ts'
import { SummaryName, SummaryNameCell, type SummaryNameProps } from './summary-name.tsx'

export type SummaryTab = 'overview' | 'storage' | 'backups'
export type SummaryColumnId = 'name' | 'uptime' | 'cpu' | 'memory' | 'disk' | 'temperature' | CountId

/** A line with the state that the table adds. */
export interface SummaryShown {
  /** the id in the store */
  recordId: string
  row: SummaryRow
  alert: AlertLevel | undefined
  /** one of its storages or disks needs attention */
  broken: boolean
  /** offline, stale, or another line is selected */
  dimmed: boolean
  tabIndex: 0 | -1
}

export interface SummaryColumn extends GridColumn<SummaryColumnId>, Column<SummaryShown> {
  align?: 'end'
  value(row: SummaryRow): SortValue
}

/** A count column of a tab. */
interface Counted {
  id: CountId
  tab: SummaryTab
  header: string
  /** px at the default text size: the header with its arrow */
  width: number
  /** singular and plural, if there is space for a word */
  words: readonly [one: string, many: string]
}

/** From left to right. Another count needs an entry here, and the counts from the page. */
const counted: readonly Counted[] = [
  { id: 'vms', tab: 'overview', header: 'VMs', width: 60, words: ['VM', 'VMs'] },
  { id: 'containers', tab: 'overview', header: 'Containers', width: 96, words: ['LXC', 'LXCs'] },
  { id: 'storage', tab: 'storage', header: 'Storage', width: 76, words: ['storage', 'storages'] },
  { id: 'disks', tab: 'storage', header: 'Disks', width: 64, words: ['disk', 'disks'] },
  { id: 'backups', tab: 'backups', header: 'Backups', width: 80, words: ['backup', 'backups'] },
]

/** `withPbs` and `withTemperature`: at least one row has this data. */
export function summaryColumns(
  tab: SummaryTab,
  { withPbs, withTemperature }: { withPbs: boolean; withTemperature: boolean },
): readonly SummaryColumn[] {
  const onBackups = tab === 'backups'
  const counts = counted.filter((one) => one.tab === tab)
  const left = machineTracks.rates - (withTemperature ? 1 : 0)
  return [
    {
      id: 'name',
      header: onBackups ? 'Node / PBS' : 'Node',
      firstDirection: 'asc',
      ...machineTracks.wideName,
      narrow: tracksOf(narrowTracks.node, 3),
      value: (row) => row.name,
      cell: (shown) => <SummaryNameCell {...nameOf(shown)} />,
      phone: { slot: 'name', draw: (shown) => <SummaryName {...nameOf(shown)} phone /> },
    },
    {
      id: 'uptime',
      header: 'Uptime',
      firstDirection: 'desc',
      track: machineTracks.uptime,
      align: 'end',
      // an earlier start is a longer uptime
      value: (row) => (row.startedAt === undefined ? undefined : -row.startedAt),
      cell: ({ row }) => <UptimeCell startedAt={row.startedAt} stale={isStale(row)} />,
      phone: {
        slot: 'fact',
        draw: ({ row }) =>
          row.startedAt !== undefined && <Uptime startedAt={row.startedAt} stale={isStale(row)} />,
      },
    },
    usageColumn('cpu', 'CPU', 'CPU', (row) => row.cpuPercent),
    usageColumn('memory', 'Memory', 'Mem', (row) => row.memory?.percent),
    usageColumn('disk', onBackups && withPbs ? 'Storage / Disk' : 'Disk', 'Disk', (row) => row.disk?.percent),
    ...(withTemperature ? [temperature] : []),
    ...counts.map((one, index) => countColumn(one, index === 0 ? left - (counts.length - 1) : 1)),
  ]
}

function nameOf({ recordId, row, alert, broken, dimmed, tabIndex }: SummaryShown): SummaryNameProps {
  const {
    kind,
    source,
    wireId,
    name,
    extraName,
    url,
    version,
    cluster,
    online,
    outage,
    staleSince,
    withheld,
  } = row
  const isNameDimmed = dimmed && !outage
  return {
    recordId,
    kind,
    source,
    wireId,
    name,
    extraName,
    url,
    version,
    cluster,
    online,
    outage,
    staleSince,
    withheld,
    alert,
    broken,
    dimmed: isNameDimmed,
    tabIndex,
  }
}

const usageColumn = (
  id: 'cpu' | 'memory' | 'disk',
  header: string,
  label: string,
  value: SummaryColumn['value'],
): SummaryColumn => ({
  id,
  header,
  firstDirection: 'desc',
  track: machineTracks.usage,
  narrow: header === 'Storage / Disk' ? narrowTracks.storageUsage : narrowTracks.usage,
  align: 'end',
  value,
  cell: ({ row }) => drawUsageOf(id, row),
  phone: { slot: 'figure', label, draw: ({ row }) => drawFigure(id, row) },
})

const temperature: SummaryColumn = {
  id: 'temperature',
  header: 'Temp',
  firstDirection: 'desc',
  track: machineTracks.rate,
  narrow: narrowTracks.temperature,
  align: 'end',
  value: (row) => row.temperature,
  cell: ({ row }) => drawTemperatureCell(row),
  phone: {
    slot: 'badge',
    draw: ({ row }) =>
      row.temperature !== undefined && (
        <span className="text-xs">
          <Temperature celsius={row.temperature} stale={isStale(row)} />
        </span>
      ),
  },
}

function countColumn({ id, header, width, words }: Counted, tracks: number): SummaryColumn {
  const taken = ratesTaken(tracks)
  return {
    id,
    header,
    firstDirection: 'desc',
    ...taken,
    narrow: tracksOf(rem(width), tracks),
    align: 'end',
    value: (row) => row.counts[id],
    cell: ({ row }) => <NumberCell className={spanClass(taken)}>{formatNumber(row.counts[id])}</NumberCell>,
    phone: {
      slot: 'fact',
      draw: ({ row }) => {
        const count = row.counts[id]
        return count !== undefined && `${formatNumber(count)} ${words[count === 1 ? 0 : 1]}`
      },
    },
  }
}

/** One track, with empty ones for the rest of the column's span. */
const tracksOf = (track: string, count: number): string =>
  [track, ...Array.from({ length: count - 1 }, () => '0')].join(' ')

/** Ends where the rate columns of the guests end. */
const ratesTaken = (tracks: number): Pick<SummaryColumn, 'track' | 'span'> => ({
  track: Array.from({ length: tracks }, () => machineTracks.rate).join(' '),
  span: tracks as NonNullable<GridColumn['span']>,
})
