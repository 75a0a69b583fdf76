import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { Direction, Sort } from '../../ui/table/sort.ts'

interface PhoneSortProps<Id extends string> {
  label: string
  columns: readonly { id: Id; header: string; firstDirection: Direction }[]
  sort: Sort<Id> | undefined
  /** name of the order without a column; absent if the order always has a column */
  unsorted?: string
  onChange: (sort: Sort<Id> | undefined) => void
  className?: string
}

/** Selects the sort order in tables without column headers. */
export function PhoneSort<Id extends string>(props: PhoneSortProps<Id>) {
  const { label, columns, sort, unsorted, onChange, className } = props
  const id = useId()
  const isUp = sort?.direction === 'asc'
  const Arrow = isUp ? ArrowUp : ArrowDown
  return (
    <span className={cx('inline-flex items-center', className)}>
      <label htmlFor={id} className="mr-1.5 shrink-0 text-xs text-ink-2">
        {label}
      </label>
      <select
        id={id}
        value={sort?.key ?? ''}
        onChange={(event) => {
          const column = columns.find(({ id }) => id === event.target.value)
          onChange(column && { key: column.id, direction: column.firstDirection })
        }}
        className="h-8 w-0 min-w-0 flex-1 rounded-md border border-control bg-surface px-2 text-table text-ink"
      >
        {unsorted !== undefined && <option value="">{unsorted}</option>}
        {columns.map(({ id, header }) => (
          <option key={id} value={id}>
            {header}
          </option>
        ))}
      </select>
      {sort && (
        <IconButton
          label={isUp ? 'Ascending, change to descending' : 'Descending, change to ascending'}
          onClick={() => onChange({ key: sort.key, direction: isUp ? 'desc' : 'asc' })}
        >
          <Arrow aria-hidden size={14} />
        </IconButton>
      )}
    </span>
  )
}
