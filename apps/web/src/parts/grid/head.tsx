import { ArrowDown, ArrowUp } from 'lucide-react'
import { rem } from '../../lib/text-scale.ts'
import { cx } from '../../ui/cx.ts'
import type { Sort } from '../../ui/table/sort.ts'
import { apart, type GridColumn, rowClass, spanClass, stuckClass } from './columns.ts'

/** px at the default text size */
export const HEAD_HEIGHT = 32

interface GridHeadProps<Id extends string> {
  columns: readonly GridColumn<Id>[]
  sort: Sort<Id> | undefined
  onSort: (column: GridColumn<Id>) => void
  minWidth: number
}

const spoken = { asc: 'ascending', desc: 'descending' } as const

const labelClass =
  'flex h-full w-full items-center gap-1 text-2xs font-medium tracking-wide whitespace-nowrap'

export function GridHead<Id extends string>({ columns, sort, onSort, minWidth }: GridHeadProps<Id>) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ minWidth: rem(minWidth), height: rem(HEAD_HEIGHT) }}
      className={rowClass('border-b border-line bg-sunken')}
    >
      {columns.map((column, at) => {
        const direction = sort?.key === column.id ? sort.direction : undefined
        const Arrow = direction === 'desc' ? ArrowDown : ArrowUp
        const right = column.align === 'end'
        const next = columns[at + 1]
        return (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={column.unsorted ? undefined : direction ? spoken[direction] : 'none'}
            className={cx(
              'h-full min-w-0 px-2 first:pl-3',
              spanClass(column),
              stuckClass(column.sticky),
              right && next && next.align !== 'end' && apart,
            )}
          >
            {column.unsorted ? (
              <span className={cx(labelClass, right && 'justify-end', 'text-ink-3')}>{column.header}</span>
            ) : (
              <button
                type="button"
                onClick={() => onSort(column)}
                // Chromium does not scroll to a button that is partly in view, so its title may be hidden
                onFocus={({ currentTarget }) =>
                  currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
                }
                className={cx(
                  'group hover:text-ink focus-visible:outline-offset-[-2px]',
                  labelClass,
                  right && 'flex-row-reverse',
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
            )}
          </div>
        )
      })}
    </div>
  )
}
