import { cx } from '../../ui/cx.ts'
import type { Direction } from '../../ui/table/sort.ts'

export interface GridColumn<Id extends string = string> {
  id: Id
  header: string
  /** sort direction of the first click */
  firstDirection: Direction
  /** CSS grid track, or several of them */
  track: string
  /** the track in a narrow window; `false` omits the column */
  narrow?: string | false
  /** number of tracks; 1 by default */
  span?: 1 | 2 | 3 | 4 | undefined
  align?: 'end'
  /** stays at that edge when the table scrolls sideways */
  sticky?: 'start' | 'end'
  /** not sortable */
  unsorted?: true
}

/** Space between right-aligned figures and left-aligned text of the next column. */
export const apart = 'pr-4'

/** The columns of a narrow window. */
export const narrowed = <Column extends GridColumn<string>>(columns: readonly Column[]): readonly Column[] =>
  columns
    .filter(({ narrow }) => narrow !== false)
    .map((column) => (column.narrow ? { ...column, track: column.narrow } : column))

const stuckClasses = { start: 'stuck left-0', end: 'stuck right-0' } as const

export const stuckClass = (edge: GridColumn['sticky']): string | undefined => edge && stuckClasses[edge]

/** The tracks that a cell of the column spans. */
export const spanClass = ({ span = 1 }: Pick<GridColumn, 'span'>): string | undefined =>
  [undefined, 'col-span-2', 'col-span-3', 'col-span-4'][span - 1]

/** The cells of a row in the tracks of its table. */
export const rowClass = (className?: string) =>
  cx('grid h-full [grid-template-columns:var(--tracks)] [grid-template-rows:100%] items-center', className)
