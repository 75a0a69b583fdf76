import type { ReplicationJob } from '@pulse/contract'
import { Badge } from '../../ui/badge.tsx'
import { Moment } from '../cells/moment.tsx'

/** Failing jobs first, then jobs that never ran, healthy ones, and disabled ones. */
export function replicationState(job: ReplicationJob): {
  rank: number
  label: string
  tone: 'red' | 'yellow' | 'neutral'
} {
  if (!job.enabled) return { rank: 3, label: 'Disabled', tone: 'neutral' }
  if (job.failCount > 0 || job.error)
    return {
      rank: 0,
      label: job.failCount > 1 ? `Failed ${job.failCount} times` : 'Failed',
      tone: 'red',
    }
  if (job.lastSync === undefined) return { rank: 1, label: 'Never synced', tone: 'yellow' }
  return { rank: 2, label: 'OK', tone: 'neutral' }
}

export const ReplicationState = ({ job }: { job: ReplicationJob }) => {
  const { label, tone } = replicationState(job)
  return label === 'OK' ? <span className="text-ink-3">OK</span> : <Badge tone={tone}>{label}</Badge>
}

/** The age of a run, if there was one. */
export const Ago = ({ at }: { at: number | undefined }) =>
  at === undefined ? <span className="text-ink-3">—</span> : <Moment at={at} relative />
