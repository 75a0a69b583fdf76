import type { SortValue } from '../../ui/table/sort.ts'
import type { GridColumn } from '../grid/columns.ts'
import { machineTracks } from '../machine-tracks.ts'
import type { CountId, SummaryRow } from './rows.ts'

export type SummaryTab = 'overview' | 'storage' | 'backups'
export type SummaryColumnId = 'name' | 'uptime' | 'cpu' | 'memory' | 'disk' | 'temperature' | CountId

export interface SummaryColumn extends GridColumn<SummaryColumnId> {
  value(row: SummaryRow): SortValue
}

const countHeaders: Record<CountId, string> = {
  vms: 'VMs',
  containers: 'Containers',
  storage: 'Storage',
  disks: 'Disks',
  backups: 'Backups',
}

/** With room for a word each: one thing, and many of them. */
const phoneWords: Record<CountId, readonly [one: string, many: string]> = {
  vms: ['VM', 'VMs'],
  containers: ['LXC', 'LXCs'],
  storage: ['storage', 'storages'],
  disks: ['disk', 'disks'],
  backups: ['backup', 'backups'],
}

export const phoneCount = (id: CountId, shown: string, count: number): string =>
  `${shown} ${phoneWords[id][count === 1 ? 0 : 1]}`

export const countsOfTab: Record<SummaryTab, readonly CountId[]> = {
  overview: ['vms', 'containers'],
  storage: ['storage', 'disks'],
  backups: ['backups'],
}

/** `withPbs` and `withTemperature` say whether any row has such a thing. */
export function summaryColumns(
  tab: SummaryTab,
  { withPbs, withTemperature }: { withPbs: boolean; withTemperature: boolean },
): readonly SummaryColumn[] {
  const onBackups = tab === 'backups'
  const counts = countsOfTab[tab]
  const left = machineTracks.rates - (withTemperature ? 1 : 0)
  return [
    {
      id: 'name',
      header: onBackups ? 'Node / PBS' : 'Node',
      first: 'asc',
      ...machineTracks.wideName,
      value: (row) => row.name,
    },
    {
      id: 'uptime',
      header: 'Uptime',
      first: 'desc',
      track: machineTracks.uptime,
      align: 'end',
      // the earlier the start, the longer it is up
      value: (row) => (row.startedAt === undefined ? undefined : -row.startedAt),
    },
    { id: 'cpu', header: 'CPU', ...usage, value: (row) => row.cpuPercent },
    { id: 'memory', header: 'Memory', ...usage, value: (row) => row.memory?.percent },
    {
      id: 'disk',
      header: onBackups && withPbs ? 'Storage / Disk' : 'Disk',
      ...usage,
      value: (row) => row.disk?.percent,
    },
    ...(withTemperature
      ? ([
          {
            id: 'temperature',
            header: 'Temp',
            first: 'desc',
            track: machineTracks.rate,
            align: 'end',
            value: (row) => row.temperature,
          },
        ] satisfies SummaryColumn[])
      : []),
    ...counts.map((id, index): SummaryColumn => ({
      id,
      header: countHeaders[id],
      first: 'desc',
      ...ratesTaken(index === 0 ? left - (counts.length - 1) : 1),
      align: 'end',
      value: (row) => row.counts[id],
    })),
  ]
}

const usage = { first: 'desc', track: machineTracks.usage, align: 'end' } as const

/** What a node has in place of rates ends where they end. */
const ratesTaken = (tracks: number): Pick<SummaryColumn, 'track' | 'span'> => ({
  track: Array.from({ length: tracks }, () => machineTracks.rate).join(' '),
  span: tracks as NonNullable<GridColumn['span']>,
})
