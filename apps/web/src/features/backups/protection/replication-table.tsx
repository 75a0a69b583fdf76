import type { ReplicationJob } from '@pulse/contract'
import { ArrowRight } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import { formatMoment } from '../../../lib/format.ts'
import { rem } from '../../../lib/text-scale.ts'
import type { LiveReader } from '../../../live/store.ts'
import { useEntity, useLive } from '../../../live/use-live.ts'
import { Cell, NumberCell } from '../../../parts/cells/cells.tsx'
import { apart } from '../../../parts/grid/columns.ts'
import { createListSelector } from '../../../parts/list/list-selector.ts'
import { ListTable } from '../../../parts/list/list-table.tsx'
import { LiveCard } from '../../../parts/live-page/live-page.tsx'
import { GuestLink } from '../../../parts/thing/guest-link.tsx'
import { guestIdOf } from '../../../parts/thing/thing-ids.ts'
import type { ListColumn } from '../../../parts/table/column.ts'
import { ColumnRow } from '../../../parts/table/column-row.tsx'
import { cx } from '../../../ui/cx.ts'
import { flipSort, type Sort } from '../../../ui/table/sort.ts'
import { tip } from '../../../ui/tooltip.tsx'
import type { GuestNames } from '../../../parts/backups/guest-names.ts'
import { Ago, ReplicationState, replicationState } from '../../../parts/backups/replication-state.tsx'
import { SectionTitle } from './failure-table.tsx'

interface ShownJob {
  job: ReplicationJob
  name: string | undefined
  tabIndex: 0 | -1
}

type ReplicationColumnId = 'job' | 'name' | 'way' | 'state' | 'lastSync' | 'nextSync' | 'error'

const GuestName = ({ job, name, tabIndex }: ShownJob) => (
  <GuestLink
    id={guestIdOf(job)}
    name={name || 'Unnamed'}
    tabIndex={tabIndex}
    className="truncate font-medium text-ink"
  />
)

const columns: readonly ListColumn<ReplicationJob, GuestNames, ShownJob, ReplicationColumnId>[] = [
  {
    id: 'job',
    header: 'Job',
    firstDirection: 'asc',
    track: rem(90),
    value: ({ job }) => job,
    cell: ({ job }) => <Cell className="pl-3 tabular-nums">{job.job}</Cell>,
    phone: { slot: 'fact', draw: ({ job }) => job.job },
  },
  {
    id: 'name',
    header: 'Guest',
    firstDirection: 'asc',
    track: `minmax(${rem(130)}, 1fr)`,
    value: (job, names) => nameOf(job, names),
    cell: (shown) => (
      <Cell className="flex">
        <GuestName {...shown} />
      </Cell>
    ),
    phone: { slot: 'name', draw: (shown) => <GuestName {...shown} /> },
  },
  {
    id: 'way',
    header: 'From, to',
    firstDirection: 'asc',
    track: `minmax(${rem(120)}, 0.8fr)`,
    value: ({ node }) => node,
    cell: ({ job }) => (
      <Cell className="flex items-center gap-1.5">
        <span className="truncate">{job.node}</span>
        <ArrowRight aria-label="to" size={12} className="shrink-0 text-ink-3" />
        <span className="truncate">{job.target}</span>
      </Cell>
    ),
    phone: { slot: 'fact', draw: ({ job }) => `${job.node} to ${job.target}` },
  },
  {
    id: 'state',
    header: 'State',
    firstDirection: 'asc',
    track: rem(124),
    value: (job) => replicationState(job).rank,
    cell: (shown) => (
      <Cell>
        <ReplicationState job={shown.job} />
      </Cell>
    ),
    phone: { slot: 'badge', draw: (shown) => <ReplicationState job={shown.job} /> },
  },
  {
    id: 'lastSync',
    header: 'Last sync',
    firstDirection: 'desc',
    track: rem(124),
    align: 'end',
    value: ({ lastSync }) => lastSync,
    cell: ({ job }) => (
      <NumberCell>
        <Ago at={job.lastSync} />
      </NumberCell>
    ),
    phone: { slot: 'figure', label: '', draw: ({ job }) => <Ago at={job.lastSync} /> },
  },
  {
    id: 'nextSync',
    header: 'Next',
    firstDirection: 'asc',
    track: rem(180),
    align: 'end',
    value: ({ nextSync }) => nextSync,
    cell: ({ job }) => (
      <NumberCell className={cx(apart, 'text-ink-2')}>
        <span {...tip(job.schedule)}>{formatMoment(job.enabled ? job.nextSync : undefined)}</span>
      </NumberCell>
    ),
  },
  {
    id: 'error',
    header: 'Last error',
    firstDirection: 'asc',
    track: `minmax(${rem(180)}, 2fr)`,
    value: ({ error }) => error,
    cell: ({ job: { error } }) => (
      <Cell className="truncate text-red">
        <span {...tip(error, 420)}>{error}</span>
      </Cell>
    ),
  },
]

const rowNames = { record: 'job', group: 'none' } as const

/** Replication jobs, with each one's last run. */
export function ReplicationTable({
  namesOf,
  phone,
}: {
  namesOf: (live: LiveReader) => GuestNames
  phone: boolean
}) {
  const [sort, setSort] = useState<Sort<ReplicationColumnId>>({ key: 'state', direction: 'asc' })
  const { key, direction } = sort
  const select = useMemo(() => {
    const { value } = columns.find(({ id }) => id === key)!
    return createListSelector({
      kind: 'replicationJobs',
      names: rowNames,
      context: (live) => [namesOf(live)] as const,
      direction,
      toItem: (job, [names]) => ({ value: value(job, names), tiebreaker: job.vmid, group: '', category: '' }),
    })
  }, [namesOf, key, direction])
  const { rows } = useLive(['replicationJobs', 'guests'], select)
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="replication">
      <SectionTitle id="replication" title="Replication jobs" count={rows.length} />
      <LiveCard>
        <ListTable
          label="Replication jobs"
          names={rowNames}
          rows={rows}
          columns={columns}
          sort={sort}
          onSort={(column) => setSort(flipSort(sort, column))}
          grouped={false}
          drawRecord={(row) => (
            <ReplicationLine id={row.id} tabIndex={row.tabIndex} namesOf={namesOf} phone={phone} />
          )}
          minWidth={1000}
          phone={phone}
        />
      </LiveCard>
    </section>
  )
}

const nameOf = ({ vmid, source }: ReplicationJob, names: GuestNames): string | undefined =>
  names.get(vmid)?.find((guest) => guest.source === source)?.name

interface ReplicationLineProps {
  id: string
  tabIndex: 0 | -1
  namesOf: (live: LiveReader) => GuestNames
  phone: boolean
}

const ReplicationLine = memo(function ReplicationLine({
  id,
  tabIndex,
  namesOf,
  phone,
}: ReplicationLineProps) {
  const job = useEntity('replicationJobs', id)
  const names = useLive(['guests'], namesOf)
  if (!job) return null
  return (
    <ColumnRow
      columns={columns}
      shown={{ job, name: nameOf(job, names), tabIndex }}
      phone={phone}
      noFigures={job.error && <span className="line-clamp-1 text-red">{job.error}</span>}
    />
  )
})
