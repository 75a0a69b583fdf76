import { cx } from '../../ui/cx.ts'
import type { Direction } from '../../ui/table/sort.ts'

export interface GridColumn<Id extends string = string> {
  id: Id
  header: string
  /** the direction a first click sorts in */
  first: Direction
  /** CSS grid track */
  track: string
  align?: 'end'
}

/** The cells of a row in the tracks of its table. */
export const rowClass = (className?: string) =>
  cx('grid h-full [grid-template-columns:var(--tracks)] [grid-template-rows:100%] items-center', className)
