import { memo, useCallback, useMemo, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { rem } from '../../../lib/text-scale.ts'
import type { LiveReader } from '../../../live/store.ts'
import { useLive } from '../../../live/use-live.ts'
import { Moment } from '../../../parts/cells/moment.tsx'
import { Cell } from '../../../parts/cells/cells.tsx'
import { createSourceSelector, type ListSource } from '../../../parts/list/list-selector.ts'
import { ListTable } from '../../../parts/list/list-table.tsx'
import { LiveCard } from '../../../parts/live-page/live-page.tsx'
import type { ListColumn } from '../../../parts/table/column.ts'
import { ColumnRow } from '../../../parts/table/column-row.tsx'
import { flipSort, type Sort } from '../../../ui/table/sort.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { createFailureSource, type Failure, failureKinds } from './failures.ts'

type FailureColumnId = 'at' | 'what' | 'where' | 'subject' | 'error'

const When = ({ at }: Failure) =>
  at === undefined ? <span className="text-ink-3">—</span> : <Moment at={at} relative />

const columns: readonly ListColumn<Failure, undefined, Failure, FailureColumnId>[] = [
  {
    id: 'at',
    header: 'When',
    firstDirection: 'desc',
    track: rem(124),
    value: ({ at }) => at,
    cell: (failure) => (
      <Cell className="pl-3 whitespace-nowrap tabular-nums">
        <When {...failure} />
      </Cell>
    ),
    phone: { slot: 'fact', draw: (failure) => <When {...failure} /> },
  },
  {
    id: 'what',
    header: 'What',
    firstDirection: 'asc',
    track: rem(150),
    value: ({ what }) => what,
    cell: ({ what }) => <Cell className="truncate font-medium text-ink">{what}</Cell>,
    phone: { slot: 'name', draw: ({ what }) => <span className="truncate font-medium">{what}</span> },
  },
  {
    id: 'subject',
    header: 'Of',
    firstDirection: 'asc',
    track: `minmax(${rem(130)}, 1fr)`,
    value: ({ subject }) => subject,
    cell: ({ subject }) => (
      <Cell className="truncate">
        <span {...tip(subject, 260)}>{subject}</span>
      </Cell>
    ),
    phone: { slot: 'fact', draw: ({ subject }) => subject },
  },
  {
    id: 'where',
    header: 'On',
    firstDirection: 'asc',
    track: `minmax(${rem(84)}, 0.6fr)`,
    value: ({ where }) => where,
    cell: ({ where }) => <Cell className="truncate text-ink-2">{where}</Cell>,
  },
  {
    id: 'error',
    header: 'Error',
    firstDirection: 'asc',
    track: `minmax(${rem(200)}, 3fr)`,
    value: ({ error }) => error,
    cell: ({ error }) => (
      <Cell className="truncate text-red">
        <span {...tip(error, 420)}>{error}</span>
      </Cell>
    ),
  },
]

const names = { record: 'failure', group: 'none' } as const

/** Recently failed runs, and jobs with a failed last run, each with its error. */
export function FailureTable({ phone }: { phone: boolean }) {
  const [sort, setSort] = useState<Sort<FailureColumnId>>({ key: 'at', direction: 'desc' })
  const [sourceOf] = useState(createFailureSource)
  const { key, direction } = sort
  const select = useMemo(() => {
    const { value } = columns.find(({ id }) => id === key)!
    return createSourceSelector({
      from: sourceOf,
      names,
      context: () => [],
      direction,
      toItem: (failure) => ({
        value: value(failure, undefined),
        tiebreaker: -(failure.at ?? 0),
        group: '',
        category: '',
      }),
    })
  }, [sourceOf, key, direction])
  const { rows } = useLive(failureKinds, select)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="backup-failures">
      <SectionTitle id="backup-failures" title="Failed runs and jobs" count={rows.length} />
      <LiveCard>
        <ListTable
          label="Failed runs and jobs"
          names={names}
          rows={rows}
          columns={columns}
          sort={sort}
          onSort={(column) => setSort(flipSort(sort, column))}
          grouped={false}
          drawRecord={({ id }) => <FailureLine id={id} sourceOf={sourceOf} phone={phone} />}
          minWidth={900}
          phone={phone}
        />
      </LiveCard>
    </section>
  )
}

interface FailureLineProps {
  id: string
  sourceOf: (live: LiveReader) => ListSource<Failure>
  phone: boolean
}

const FailureLine = memo(function FailureLine({ id, sourceOf, phone }: FailureLineProps) {
  const failure = useLive(
    failureKinds,
    useCallback((live) => sourceOf(live).records.get(id), [sourceOf, id]),
  )
  if (!failure) return null
  return (
    <ColumnRow
      columns={columns}
      shown={failure}
      phone={phone}
      noFigures={<span className="line-clamp-1 text-red">{failure.error}</span>}
    />
  )
})

/** Title of one of the tab's tables. */
export const SectionTitle = ({ id, title, count }: { id: string; title: string; count: number }) => (
  <h2 id={id} className="flex h-9 items-center gap-2 px-1 text-table font-semibold">
    {title}
    <span className="font-normal text-ink-3 tabular-nums">{formatNumber(count)}</span>
  </h2>
)
