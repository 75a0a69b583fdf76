import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useAddressText } from '../../ui/router/use-address-text.ts'

const pageSize = 100

interface FilteredListProps<Row> {
  rows: readonly Row[]
  matches: (row: Row, search: string) => boolean
  /** texts of the filter box; undefined for short lists */
  filter: { label: string; placeholder: string } | undefined
  draw: (rows: readonly Row[]) => ReactNode
  /** shown if nothing matches */
  empty: (search: string) => ReactNode
}

/** A paged list. Long lists have a filter, kept in the address. */
export function FilteredList<Row>({ rows, matches, filter, draw, empty }: FilteredListProps<Row>) {
  const [search, setSearch] = useAddressText('search')
  const [limit, setLimit] = useState(pageSize)
  const found = filter ? rows.filter((row) => matches(row, search)) : rows
  const more = found.length - limit
  return (
    <>
      {filter && (
        <div className="border-b border-line px-4 py-2.5">
          <input
            type="search"
            aria-label={filter.label}
            placeholder={filter.placeholder}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setLimit(pageSize)
            }}
            autoComplete="off"
            spellCheck={false}
            className="h-8 w-full max-w-sm rounded-md border border-control bg-surface px-2.5 text-table text-ink placeholder:text-ink-3"
          />
        </div>
      )}
      {found.length === 0 ? empty(search.trim()) : draw(found.slice(0, limit))}
      {more > 0 && (
        <div className="border-t border-line p-3 text-center">
          <Button variant="ghost" onClick={() => setLimit(limit + pageSize)}>
            {`Show ${Math.min(more, pageSize)} more of ${more}`}
          </Button>
        </div>
      )}
    </>
  )
}
