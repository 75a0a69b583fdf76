import { cx } from '../../ui/cx.ts'
import type { Direction } from '../../ui/table/sort.ts'

export interface GridColumn<Id extends string = string> {
  id: Id
  header: string
  /** the direction a first click sorts in */
  first: Direction
  /** CSS grid track, or several of them */
  track: string
  /** how many tracks it takes; 1 unless it says so */
  span?: 1 | 2 | 3 | 4 | undefined
  align?: 'end'
  /** its head sorts nothing */
  unsorted?: true
}

/** A cell takes the tracks of its column. */
export const spanClass = ({ span = 1 }: Pick<GridColumn, 'span'>): string | undefined =>
  [undefined, 'col-span-2', 'col-span-3', 'col-span-4'][span - 1]

/** The cells of a row in the tracks of its table. */
export const rowClass = (className?: string) =>
  cx('grid h-full [grid-template-columns:var(--tracks)] [grid-template-rows:100%] items-center', className)
