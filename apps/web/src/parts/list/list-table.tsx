import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { Sort } from '../../ui/table/sort.ts'
import { usePhoneRowHeight, useRowHeight } from '../screen/density.tsx'
import type { GridColumn } from '../grid/columns.ts'
import { Grid, type GridHandle, type RowKind } from '../grid/grid.tsx'
import {
  createExpansion,
  type Expansion,
  parseRow,
  useOpenInAddress,
  useRevealed,
  withDetails,
} from './expansion.ts'
import type { ListRow, RowNames } from './list-selector.ts'

/** What a row is drawn with. */
export interface DrawnRow {
  id: string
  /** 0 for the row the keyboard is at, else -1: what its own links and buttons take */
  tabIndex: 0 | -1
}

interface ListTableProps<Name extends string, Id extends string> {
  label: string
  names: RowNames<Name>
  rows: readonly ListRow<Name>[]
  columns: readonly GridColumn<Id>[]
  sort: Sort<Id>
  onSort: (column: GridColumn<Id>) => void
  /** records stand below the heads of groups */
  grouped: boolean
  drawRecord: (row: DrawnRow & { expanded: boolean }) => ReactNode
  drawGroup?: (row: DrawnRow) => ReactNode
  /** what a record opens to; without it none does */
  details?: {
    expansion: Expansion
    draw: (id: string) => ReactNode
    /** those that open; by default all do */
    only?: ReadonlySet<string>
    /** those that do not, where nearly all do */
    except?: ReadonlySet<string>
  }
  /** below these records stands something about them, open or not */
  notes?: { of: ReadonlySet<string>; draw: (id: string) => ReactNode }
  minWidth: number
  phone: boolean
  /** below something else, in the lower half of the window as a rule */
  lower?: boolean
  /** somebody is at the table, or no longer */
  onHold?: ((held: boolean) => void) | undefined
  handle?: { current: GridHandle | null } | undefined
}

/** of tables whose rows do not open */
const closed = createExpansion()
const none: ReadonlySet<string> = new Set()

/** The records of a list selector as a table: groups, rows, and what they open to. */
export function ListTable<Name extends string, Id extends string>(props: ListTableProps<Name, Id>) {
  const { names, rows, grouped, details, notes, phone, columns, ...grid } = props
  const expansion = details?.expansion ?? closed
  const wanted = expansion.use()
  useOpenInAddress(details?.expansion)
  const only = details?.only
  const except = details?.except ?? none
  const noted = notes?.of ?? none
  const mayOpen = useCallback((id: string) => (only?.has(id) ?? true) && !except.has(id), [only, except])
  const open = useMemo(() => {
    const kept = [...wanted].filter(mayOpen)
    return kept.length < wanted.size ? new Set(kept) : wanted
  }, [wanted, mayOpen])
  const table = useRef<HTMLDivElement>(null)
  useRevealed(expansion, table)
  const opens = (id: string) => details !== undefined && mayOpen(id)
  const shown = useMemo(() => withDetails(rows, names, open, noted), [rows, names, open, noted])
  const level = grouped ? 2 : 1
  const rowHeight = useRowHeight()
  const phoneRowHeight = usePhoneRowHeight()

  const kindOf = (row: ListRow): RowKind => {
    const [name, id] = parseRow(row)
    if (name === names.record) {
      const expanded = opens(id) ? open.has(id) : undefined
      return { focusable: true, level, expanded }
    }
    if (name === names.group) return { focusable: true, level: 1, pins: true }
    return { focusable: false, level: level + 1 }
  }
  const [recordStart, groupStart] = [`${names.record}:`, `${names.group}:`]
  const recordHeight = phone ? phoneRowHeight : rowHeight
  const heightOf = (row: ListRow) =>
    row.startsWith(recordStart) ? recordHeight : row.startsWith(groupStart) ? rowHeight : undefined
  return (
    <Grid
      frame={table}
      label={grid.label}
      columns={columns}
      sort={grid.sort}
      onSort={grid.onSort}
      rows={shown}
      kindOf={kindOf}
      heightOf={heightOf}
      tree={details !== undefined || grouped}
      renderRow={(row, { tabIndex }) => {
        const [name, id] = parseRow(row)
        if (name === names.record) return grid.drawRecord({ id, tabIndex, expanded: open.has(id) })
        if (name === names.group) return grid.drawGroup?.({ id, tabIndex })
        return name === 'note' ? notes?.draw(id) : details?.draw(id)
      }}
      onActivate={(row) => {
        const [name, id] = parseRow(row)
        if (name === names.record && opens(id)) expansion.toggle(id)
      }}
      minWidth={grid.minWidth}
      phone={phone}
      lower={grid.lower ?? false}
      onHold={grid.onHold}
      handle={grid.handle}
    />
  )
}
