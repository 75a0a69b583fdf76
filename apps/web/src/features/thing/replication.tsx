import type { ReplicationJob } from '@pulse/contract'
import { ArrowRight } from 'lucide-react'
import { useCallback } from 'react'
import { formatMoment } from '../../lib/format.ts'
import { sameList, useLive, useSlice } from '../../live/use-live.ts'
import { Ago, ReplicationState } from '../../parts/backups/replication-state.tsx'
import { guestIdOf } from '../../parts/thing/thing-ids.ts'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import { Section } from './section.tsx'

/** Replication jobs of a guest. Most guests have none, so there is no empty state. */
export function Replication({ guestId }: { guestId: string }) {
  useSlice('backups')
  const jobs = useLive(
    ['replicationJobs'],
    useCallback(
      (live) => [...live.records('replicationJobs').values()].filter((job) => guestIdOf(job) === guestId),
      [guestId],
    ),
    sameList,
  )
  if (jobs.length === 0) return null
  return (
    <Section title="Replication" count={jobs.length}>
      <RecordTable
        label="Replication jobs"
        columns={columns}
        rows={jobs}
        keyOf={keyOf}
        minWidth={640}
        dense
      />
    </Section>
  )
}

const keyOf = ({ job }: ReplicationJob) => job

const columns: readonly RecordColumn<ReplicationJob>[] = [
  { header: 'Job', cell: ({ job }) => <span className="tabular-nums">{job}</span>, phone: { slot: 'name' } },
  {
    header: 'From, to',
    cell: ({ node, target }) => (
      <span className="inline-flex items-center gap-1.5">
        {node}
        <ArrowRight aria-label="to" size={12} className="text-ink-3" />
        {target}
      </span>
    ),
    phone: { slot: 'fact', draw: ({ node, target }) => `${node} to ${target}` },
  },
  { header: 'State', cell: (job) => <ReplicationState job={job} />, phone: { slot: 'badge' } },
  {
    header: 'Last sync',
    cell: ({ lastSync }) => <Ago at={lastSync} />,
    phone: { slot: 'figure', label: 'Last sync' },
  },
  {
    header: 'Next',
    cell: ({ enabled, nextSync }) => (
      <span className="whitespace-nowrap">{formatMoment(enabled ? nextSync : undefined)}</span>
    ),
    phone: { slot: 'figure', label: 'Next' },
  },
  {
    header: 'Last error',
    cell: ({ error }) => <span className="break-words text-red">{error}</span>,
    phone: { slot: 'figure', label: '', draw: ({ error }) => error },
  },
]
