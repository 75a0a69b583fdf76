import type { PbsJobs } from '@pulse/contract'
import type { PbsGarbage, PbsJob } from './schema.ts'

type Common = Pick<PbsJobs['syncJobs'][number], 'status' | 'nextRun' | 'error' | 'schedule'>

/** RFC 3339; undefined for an invalid time. */
export const timeOf = (seconds: number | undefined): string | undefined =>
  seconds !== undefined && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000).toISOString() : undefined

const named = <K extends string>(key: K, value: string | undefined) =>
  (value ? { [key]: value } : {}) as Partial<Record<K, string>>
const counted = <K extends string>(key: K, value: number | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<K, number>>

/** The result of the last run. A run with a UPID and without an end is in progress. */
function stateOf(job: PbsGarbage | PbsJob): Common {
  const said = job['last-run-state']
  const isRunning =
    said === undefined && job['last-run-upid'] !== undefined && job['last-run-endtime'] === undefined
  const error = said === undefined || said === 'OK' ? undefined : said
  const isDisabled = 'disable' in job && job.disable === true
  return {
    status: isRunning ? 'running' : isDisabled ? 'disabled' : resultOf(said),
    ...named('nextRun', isDisabled ? undefined : timeOf(job['next-run'])),
    ...named('error', error),
    ...named('schedule', job.schedule),
  }
}

/** Whether the last finished run failed, even if the job runs again now. */
export const hasFailed = (job: PbsGarbage | PbsJob): boolean => resultOf(job['last-run-state']) === 'failed'

function resultOf(said: string | undefined): string {
  if (said === undefined) return 'unknown'
  if (said === 'OK') return 'ok'
  return said.startsWith('WARNINGS') ? 'warning' : 'failed'
}

const lastRun = (job: PbsGarbage | PbsJob) => timeOf(job['last-run-endtime'])

const ofStore = (job: PbsJob) => ({
  id: job.id,
  store: job.store,
  ...stateOf(job),
  ...named('namespace', job.ns),
})

export const toSyncJob = (job: PbsJob): PbsJobs['syncJobs'][number] => ({
  ...ofStore(job),
  ...named('remote', job.remote),
  ...named('remoteStore', job['remote-store']),
  ...named('direction', job['sync-direction']),
  ...named('lastSync', lastRun(job)),
})

export const toVerifyJob = (job: PbsJob): PbsJobs['verifyJobs'][number] => ({
  ...ofStore(job),
  ...named('lastVerify', lastRun(job)),
})

export const toPruneJob = (job: PbsJob): PbsJobs['pruneJobs'][number] => ({
  ...ofStore(job),
  ...named('lastPrune', lastRun(job)),
})

export const toGarbageJob = (store: string, job: PbsGarbage): PbsJobs['garbageJobs'][number] => ({
  id: store,
  store,
  ...stateOf(job),
  ...named('lastGarbage', lastRun(job)),
  ...counted('removedBytes', job['removed-bytes']),
  ...counted('pendingBytes', job['pending-bytes']),
  ...counted('durationSeconds', job.duration),
})
