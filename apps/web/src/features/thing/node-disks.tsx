import { kinds, type PhysicalDisk } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import { useCallback } from 'react'
import { formatBytes, formatPercent, MISSING } from '../../lib/format.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import { Usage } from '../../parts/cells/cells.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { DiskHealthBadge, DiskTemperature } from '../../parts/storage/disk-cells.tsx'
import { lifeOf, temperatureOf } from '../../parts/storage/disk-health.ts'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { Section, SectionNote } from './section.tsx'

/** The physical disks of a node. */
export function NodeDisks({ nodeKey: key }: { nodeKey: string }) {
  const disks = useLive(
    ['physicalDisks'],
    useCallback(
      (live) =>
        [...live.records('physicalDisks').values()]
          .filter((disk) => nodeKey(disk) === key)
          .toSorted((a, b) => compareNames(a.devPath, b.devPath)),
      [key],
    ),
    sameList,
  )
  const underlay = useTrends({ sources: trendSources, columns: trendColumns, phone: false })
  return (
    <Section
      title="Physical disks"
      count={disks.length}
      more={{ to: '/proxmox/storage?tab=disks', text: 'All disks' }}
    >
      {disks.length === 0 ? (
        <SectionNote>No physical disks reported.</SectionNote>
      ) : (
        <RecordTable
          label="Physical disks"
          columns={columns}
          rows={disks}
          keyOf={keyOf}
          minWidth={720}
          dense
          underlay={underlay}
        />
      )}
    </Section>
  )
}

const keyOf = (disk: PhysicalDisk) => `disk:${kinds.physicalDisks.key(disk)}`
const isStale = ({ staleSince }: PhysicalDisk) => staleSince !== undefined

const Life = ({ disk }: { disk: PhysicalDisk }) => (
  <span className="flex min-w-28 items-center gap-1.5">
    <Usage percent={lifeOf(disk)} scale="ssdLife" stale={isStale(disk)} />
  </span>
)

const columns: readonly RecordColumn<PhysicalDisk>[] = [
  {
    header: 'Device',
    cell: ({ devPath, staleSince }) => (
      <span className="inline-flex flex-wrap items-center gap-x-1.5 font-medium break-all text-ink">
        {devPath}
        {staleSince !== undefined && <StaleBadge since={staleSince} />}
      </span>
    ),
    phone: { slot: 'name' },
  },
  {
    header: 'Model',
    cell: ({ model }) => <span className="break-words text-ink-2">{model || MISSING}</span>,
    phone: { slot: 'fact' },
  },
  {
    header: 'Serial',
    cell: ({ serial }) => <span className="break-all text-ink-2">{serial || MISSING}</span>,
  },
  {
    header: 'Health',
    cell: (disk) => <DiskHealthBadge disk={disk} stale={isStale(disk)} />,
    phone: { slot: 'badge' },
  },
  {
    header: 'SSD Life',
    cell: (disk) => <Life disk={disk} />,
    phone: {
      slot: 'figure',
      label: 'Life',
      draw: (disk) => lifeOf(disk) !== undefined && formatPercent(lifeOf(disk)),
    },
  },
  {
    header: 'Temp',
    align: 'end',
    cell: (disk) => <DiskTemperature disk={disk} stale={isStale(disk)} />,
    phone: {
      slot: 'fact',
      draw: (disk) =>
        temperatureOf(disk) !== undefined && <DiskTemperature disk={disk} stale={isStale(disk)} />,
    },
  },
  {
    header: 'Size',
    align: 'end',
    cell: ({ size }) => <span className="whitespace-nowrap tabular-nums">{formatBytes(size)}</span>,
    phone: { slot: 'fact' },
  },
]

/** Remaining life is the same for days, so it has no trend of an hour. */
const trendColumns = columns.map(({ header }) => ({ id: header === 'Temp' ? 'temperature' : header }))
const trendSources: readonly TrendSource[] = [
  { rows: 'disk', kind: 'physicalDisks', fields: ['temperature'] },
]
