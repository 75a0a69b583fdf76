import type { ReactNode } from 'react'
import type { GridColumn } from '../grid/columns.ts'
import type { SortValue } from '../../ui/table/sort.ts'

/**
 * Where a column stands in a row of two lines: beside the name (`badge`), among the facts after it, or as a figure with
 * its label in the second line. A column without a slot is left to the details.
 */
export type PhoneSlot<Shown> =
  | { slot: 'name' | 'badge' | 'fact'; draw: (shown: Shown) => ReactNode }
  | { slot: 'figure'; label: string; draw: (shown: Shown) => ReactNode }

/** How a column is headed and drawn. */
export interface Column<Shown> {
  header: string
  /** the header is for those who cannot see what stands in the column */
  hideHeader?: boolean
  align?: 'end'
  cell: (shown: Shown) => ReactNode
  phone?: PhoneSlot<Shown>
}

/** A column of a list: also what it sorts by, which is asked of every record, shown or not. */
export interface ListColumn<Record, Facts, Shown, Id extends string = string>
  extends GridColumn<Id>, Column<Shown> {
  align?: 'end'
  /** undefined sorts last */
  value: (record: Record, facts: Facts) => SortValue
  /** it changes with every update: the order waits while somebody is at the table */
  changesOften?: boolean
}
