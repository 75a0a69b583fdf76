import { memo, type RefObject } from 'react'
import type { LiveReader } from '../../../live/store.ts'
import { useEntity, useLive } from '../../../live/use-live.ts'
import type { GridHandle } from '../../../parts/grid/grid.tsx'
import { ListTable } from '../../../parts/list/list-table.tsx'
import { ColumnRow } from '../../../parts/table/column-row.tsx'
import { flipSort, type Sort } from '../../../ui/table/sort.ts'
import type { GuestNames } from '../../../parts/backups/guest-names.ts'
import { protectedGuest } from '../../../parts/backups/protected-guest.ts'
import { Happened, Newest } from '../../../parts/backups/protection-cells.tsx'
import { type ProtectionColumnId, protectionColumns } from './protection-columns.tsx'
import { type ProtectionList, protectionNames } from './protection-list.ts'

interface ProtectionTableProps {
  rows: ProtectionList['rows']
  namesOf: (live: LiveReader) => GuestNames
  sort: Sort<ProtectionColumnId>
  onSort: (sort: Sort<ProtectionColumnId>) => void
  phone: boolean
  handle: RefObject<GridHandle | null>
}

/** px */
const MIN_WIDTH = 1124

export function ProtectionTable({ rows, namesOf, sort, onSort, phone, handle }: ProtectionTableProps) {
  return (
    <ListTable
      label="Protection of guests"
      names={protectionNames}
      rows={rows}
      columns={protectionColumns}
      sort={sort}
      onSort={(column) => onSort(flipSort(sort, column))}
      grouped={false}
      drawRecord={(row) => (
        <ProtectionLine id={row.id} tabIndex={row.tabIndex} namesOf={namesOf} phone={phone} />
      )}
      minWidth={MIN_WIDTH}
      phone={phone}
      handle={handle}
    />
  )
}

interface ProtectionLineProps {
  id: string
  tabIndex: 0 | -1
  namesOf: (live: LiveReader) => GuestNames
  phone: boolean
}

const ProtectionLine = memo(function ProtectionLine({ id, tabIndex, namesOf, phone }: ProtectionLineProps) {
  const protection = useEntity('protections', id)
  const names = useLive(['guests'], namesOf)
  if (!protection) return null
  const shown = { ...protectedGuest(protection, names), tabIndex }
  return (
    <ColumnRow
      columns={protectionColumns}
      shown={shown}
      phone={phone}
      noFigures={
        (protection.failed || protection.ambiguous) && (
          <span className="line-clamp-1">
            <Newest one={shown} />
            <span className="text-ink-3"> · </span>
            <Happened one={shown} />
          </span>
        )
      }
    />
  )
})
