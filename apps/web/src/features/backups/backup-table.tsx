import { memo, type RefObject, useCallback, useMemo } from 'react'
import { usePreference } from '../../lib/storage.ts'
import { useLive } from '../../live/use-live.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { flipSort } from '../../ui/table/sort.ts'
import type { BackupIndexer } from './backup-index.ts'
import { type BackupList, backupListNames } from './backup-list.ts'
import { backupColumns, type BackupColumnId } from './columns.tsx'
import { GroupHead } from './group-head.tsx'
import { staleLocationOf } from '../../parts/backups/stale-locations.ts'
import type { BackupsView } from './use-backups-view.ts'
import { useIndexed } from './use-indexed.ts'

interface BackupTableProps {
  list: BackupList
  view: BackupsView
  indexOf: BackupIndexer
  hasOwners: boolean
  phone: boolean
  handle: RefObject<GridHandle | null>
}

/** px */
const MIN_WIDTH = 1200

export function BackupTable({ list, view, indexOf, hasOwners, phone, handle }: BackupTableProps) {
  const columns = useMemo(() => backupColumns(hasOwners), [hasOwners])
  const [relative] = usePreference('backupsUseRelativeTime')
  return (
    <ListTable<'backup' | 'head', BackupColumnId>
      label="Backups"
      names={backupListNames}
      rows={list.rows}
      columns={columns}
      sort={view.sort}
      onSort={({ id, firstDirection }) =>
        id !== 'details' && view.setSort(flipSort(view.sort, { id, firstDirection }))
      }
      grouped
      drawGroup={({ id }) => (
        <GroupHead
          group={id}
          rows={list.rows}
          indexOf={indexOf}
          grouping={view.chosen.grouping}
          count={list.groupSizes.get(id) ?? 0}
          colSpan={columns.length}
        />
      )}
      drawRecord={({ id, tabIndex }) => (
        <BackupLine
          id={id}
          indexOf={indexOf}
          hasOwners={hasOwners}
          relativeTime={relative === 'true'}
          phone={phone}
          tabIndex={tabIndex}
        />
      )}
      minWidth={MIN_WIDTH}
      phone={phone}
      handle={handle}
    />
  )
}

interface BackupLineProps {
  id: string
  indexOf: BackupIndexer
  hasOwners: boolean
  relativeTime: boolean
  phone: boolean
  tabIndex: 0 | -1
}

const BackupLine = memo(function BackupLine(props: BackupLineProps) {
  const { id, indexOf, hasOwners, relativeTime, phone, tabIndex } = props
  const backup = useIndexed(
    indexOf,
    useCallback((live) => indexOf(live).records.get(id), [indexOf, id]),
  )
  const old = useLive(
    ['datastores'],
    useCallback((live) => backup && staleLocationOf(live, backup), [backup]),
  )
  if (!backup) return null
  return (
    <ColumnRow
      columns={backupColumns(hasOwners)}
      shown={{ backup, relativeTime, old, tabIndex }}
      phone={phone}
      dimmed={old !== undefined}
    />
  )
})
