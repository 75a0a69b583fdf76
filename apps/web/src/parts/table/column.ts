import type { ReactNode } from 'react'
import type { GridColumn } from '../grid/columns.ts'
import type { SortValue } from '../../ui/table/sort.ts'

/**
 * The position of a column in a two-line row: next to the name (`badge`), among the facts after it, or as a
 * labelled figure in the second line. A column without a slot appears in the details only.
 */
export type PhoneSlot<Shown> =
  | { slot: 'name' | 'badge' | 'fact'; draw: (shown: Shown) => ReactNode }
  | { slot: 'figure'; label: string; draw: (shown: Shown) => ReactNode }

/** Header and cells of a column. */
export interface Column<Shown> {
  header: string
  /** for screen readers only */
  hideHeader?: boolean
  align?: 'end'
  cell: (shown: Shown) => ReactNode
  phone?: PhoneSlot<Shown>
}

/** A sortable column. `value` is read for every record, even for hidden ones. */
export interface ListColumn<Record, Facts, Shown, Id extends string = string>
  extends GridColumn<Id>, Column<Shown> {
  align?: 'end'
  /** undefined sorts last */
  value: (record: Record, facts: Facts) => SortValue
  /** changes with every update, so the order is kept while the table is in use */
  changesOften?: boolean
}
