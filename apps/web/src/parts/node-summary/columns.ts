import type { Direction, SortValue } from '../../ui/table/sort.ts'
import type { SummaryRow } from './rows.ts'

export type SummaryTab = 'overview' | 'storage' | 'backups'
export type CountId = 'vms' | 'containers' | 'storage' | 'disks' | 'backups'
export type SummaryColumnId = 'name' | 'uptime' | 'cpu' | 'memory' | 'disk' | 'temperature' | CountId

export interface SummaryColumn {
  id: SummaryColumnId
  header: string
  /** the direction a first click sorts in */
  first: Direction
  /** CSS grid track */
  track: string
  align?: 'end'
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

const bar = 'minmax(90px, 1fr)'

/** `withPbs` and `withTemperature` say whether any row has such a thing. */
export function summaryColumns(
  tab: SummaryTab,
  { withPbs, withTemperature }: { withPbs: boolean; withTemperature: boolean },
): readonly SummaryColumn[] {
  const onBackups = tab === 'backups'
  return [
    {
      id: 'name',
      header: onBackups ? 'Node / PBS' : 'Node',
      first: 'asc',
      track: 'minmax(190px, 2fr)',
      value: (row) => row.name,
    },
    {
      id: 'uptime',
      header: 'Uptime',
      first: 'desc',
      track: '80px',
      align: 'end',
      // the earlier the start, the longer it is up
      value: (row) => (row.startedAt === undefined ? undefined : -row.startedAt),
    },
    { id: 'cpu', header: 'CPU', first: 'desc', track: bar, value: (row) => row.cpuPercent },
    { id: 'memory', header: 'Memory', first: 'desc', track: bar, value: (row) => row.memory?.percent },
    {
      id: 'disk',
      header: onBackups && withPbs ? 'Storage / Disk' : 'Disk',
      first: 'desc',
      track: bar,
      value: (row) => row.disk?.percent,
    },
    ...(withTemperature
      ? ([
          {
            id: 'temperature',
            header: 'Temp',
            first: 'desc',
            track: '60px',
            align: 'end',
            value: (row) => row.temperature,
          },
        ] satisfies SummaryColumn[])
      : []),
    ...countsOfTab[tab].map((id): SummaryColumn => ({
      id,
      header: countHeaders[id],
      first: 'desc',
      track: '80px',
      align: 'end',
      value: (row) => row.counts[id],
    })),
  ]
}
