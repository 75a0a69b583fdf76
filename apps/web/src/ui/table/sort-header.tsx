import { ArrowDown, ArrowUp } from 'lucide-react'
import { cx } from '../cx.ts'
import type { Direction, Sort } from './sort.ts'

interface SortHeaderProps<Id extends string> {
  column: { id: Id; header: string; first: Direction }
  sort: Sort<Id> | undefined
  onSort: (column: { id: Id; header: string; first: Direction }) => void
  /** figures stand right, so does their head */
  align?: 'left' | 'right'
  className?: string
}

const spoken = { asc: 'ascending', desc: 'descending' } as const

/** A column head that sorts on click, Enter and Space. */
export function SortHeader<Id extends string>(props: SortHeaderProps<Id>) {
  const { column, sort, onSort, align = 'left', className } = props
  const direction = sort?.key === column.id ? sort.direction : undefined
  const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      aria-sort={direction ? spoken[direction] : 'none'}
      className={cx('h-8 px-2 font-medium', align === 'right' ? 'text-right' : 'text-left', className)}
    >
      <button
        type="button"
        onClick={() => onSort(column)}
        className={cx(
          'group inline-flex h-full items-center gap-1 text-2xs tracking-wide whitespace-nowrap hover:text-ink',
          align === 'right' && 'flex-row-reverse',
          direction ? 'text-ink' : 'text-ink-3',
        )}
      >
        {column.header}
        <Arrow
          aria-hidden
          size={12}
          className={cx('shrink-0', !direction && 'opacity-0 group-hover:opacity-50')}
        />
      </button>
    </th>
  )
}
