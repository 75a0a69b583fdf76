import { kinds, type Storage } from '@pulse/contract'
import { compareNames } from '@pulse/domain'
import { useCallback } from 'react'
import { formatBytes } from '../../lib/format.ts'
import { sameList, useLive } from '../../live/use-live.ts'
import { Usage, usedOfTotal } from '../../parts/cells/cells.tsx'
import { nodeKeysOf } from '../../parts/storage/storage-nodes.ts'
import { StorageStatus } from '../../parts/storage/storage-status.tsx'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Section, SectionNote } from './section.tsx'

/** The storages that the node can use, its own ones and shared ones. */
export function NodeStorages({ nodeKey: key }: { nodeKey: string }) {
  const storages = useLive(
    ['storage'],
    useCallback(
      (live) =>
        [...live.records('storage').values()]
          .filter((storage) => nodeKeysOf(storage).includes(key))
          .toSorted((a, b) => compareNames(a.name, b.name)),
      [key],
    ),
    sameList,
  )
  const underlay = useTrends({ sources: trendSources, columns: trendColumns, phone: false })
  return (
    <Section title="Storage" count={storages.length} more={{ to: '/proxmox/storage', text: 'All storages' }}>
      {storages.length === 0 ? (
        <SectionNote>No storages of this node.</SectionNote>
      ) : (
        <RecordTable
          label="Storages"
          columns={columns}
          rows={storages}
          keyOf={keyOf}
          minWidth={640}
          dense
          phoneRow={phoneRow}
          underlay={underlay}
        />
      )}
    </Section>
  )
}

const keyOf = (storage: Storage) => `storage:${kinds.storage.key(storage)}`
const isStale = ({ staleSince }: Storage) => staleSince !== undefined

const UsageLine = ({ storage }: { storage: Storage }) => (
  <span className="flex min-w-32 flex-1 items-center gap-1.5">
    <Usage percent={storage.usage} scale="disk" stale={isStale(storage)} />
  </span>
)

const Name = ({ storage: { name, shared } }: { storage: Storage }) => (
  <span className="inline-flex flex-wrap items-center gap-x-1.5 font-medium break-all text-ink">
    {name}
    {shared && <Badge>Shared</Badge>}
  </span>
)

const columns: readonly RecordColumn<Storage>[] = [
  { header: 'Storage', cell: (storage) => <Name storage={storage} /> },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Status', cell: (storage) => <StorageStatus pool={storage} stale={isStale(storage)} /> },
  { header: 'Usage', cell: (storage) => <UsageLine storage={storage} /> },
  {
    header: 'Free',
    align: 'end',
    cell: ({ free }) => <span className="whitespace-nowrap tabular-nums">{formatBytes(free)}</span>,
  },
  {
    header: 'Total',
    align: 'end',
    cell: ({ total }) => <span className="whitespace-nowrap tabular-nums">{formatBytes(total)}</span>,
  },
]

/** Only figures have trends. */
const trendColumns = columns.map(({ header }) => ({ id: header === 'Usage' ? 'usage' : header }))
const trendSources: readonly TrendSource[] = [{ rows: 'storage', kind: 'storage', fields: ['usage'] }]

/** A bar needs the width of a phone. */
const phoneRow = (storage: Storage) => (
  <>
    <span className="flex flex-wrap items-center gap-x-2">
      <Name storage={storage} />
      <span className="text-xs text-ink-3">{storage.type}</span>
      <span className="ml-auto">
        <StorageStatus pool={storage} stale={isStale(storage)} />
      </span>
    </span>
    {storage.usage !== undefined && (
      <span className="flex items-center gap-3 text-xs tabular-nums">
        <UsageLine storage={storage} />
        <span className="whitespace-nowrap text-ink-2">{usedOfTotal(storage.used, storage.total)}</span>
      </span>
    )}
  </>
)
