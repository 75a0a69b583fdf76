import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { Sort } from '../../ui/table/sort.ts'
import { usePhoneRowHeight, useRowHeight } from '../screen/density.tsx'
import type { GridColumn } from '../grid/columns.ts'
import { Grid, type GridHandle, type PlacedRow, type RowKind } from '../grid/grid.tsx'
import {
  createExpansion,
  type Expansion,
  parseRow,
  useOpenInAddress,
  useRevealed,
  withDetails,
} from './expansion.ts'
import type { ListRow, RowNames } from './list-selector.ts'

/** Input of a row renderer. */
export interface DrawnRow {
  id: string
  /** 0 in the row with the keyboard focus, else -1; for the row's links and buttons */
  tabIndex: 0 | -1
}

interface ListTableProps<Name extends string, Id extends string> {
  label: string
  names: RowNames<Name>
  rows: readonly ListRow<Name>[]
  columns: readonly GridColumn<Id>[]
  sort: Sort<Id>
  onSort: (column: GridColumn<Id>) => void
  /** records are grouped */
  grouped: boolean
  drawRecord: (row: DrawnRow & { expanded: boolean }) => ReactNode
  drawGroup?: (row: DrawnRow) => ReactNode
  /** the details of a record; without it no row opens */
  details?: {
    expansion: Expansion
    draw: (id: string) => ReactNode
    /** these rows do not open */
    except?: ReadonlySet<string>
  }
  /** these records have a note below them, open or not */
  notes?: { of: ReadonlySet<string>; draw: (id: string) => ReactNode }
  /** see `useTrends` */
  underlay?: ((rows: readonly PlacedRow[]) => ReactNode) | undefined
  minWidth: number
  phone: boolean
  /** the table usually begins in the lower half of the window */
  lower?: boolean
  /** see `useTableInUse` */
  onInUseChange?: ((inUse: boolean) => void) | undefined
  handle?: { current: GridHandle | null } | undefined
}

/** for tables with rows that do not open */
const closed = createExpansion()
const none: ReadonlySet<string> = new Set()

/** Draws the rows of a list selector: groups, records and their details. */
export function ListTable<Name extends string, Id extends string>(props: ListTableProps<Name, Id>) {
  const { names, rows, grouped, details, notes, phone, columns, ...grid } = props
  const expansion = details?.expansion ?? closed
  const wanted = expansion.use()
  useOpenInAddress(details?.expansion)
  const except = details?.except ?? none
  const noted = notes?.of ?? none
  const mayOpen = useCallback((id: string) => !except.has(id), [except])
  const open = useMemo(() => {
    const opened = [...wanted].filter(mayOpen)
    return opened.length < wanted.size ? new Set(opened) : wanted
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
      underlay={grid.underlay}
      minWidth={grid.minWidth}
      phone={phone}
      lower={grid.lower ?? false}
      onInUseChange={grid.onInUseChange}
      handle={grid.handle}
    />
  )
}
