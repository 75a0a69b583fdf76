import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import type { ParameterRule } from '../api/parameters.ts'
import type { Job, JobKind } from './drawn-jobs.ts'
import type { BackupServer } from './vault.ts'
import { workerUpid } from './upid.ts'

const daySeconds = 86_400

export const jobRoutes = (server: BackupServer): ApplianceRoute[] =>
  (['sync', 'verify', 'prune'] as const).map((kind) => ({
    path: `/admin/${kind}`,
    query: queryOf(kind, server.major),
    answer: (call) => jobs(server, kind, call),
  }))

const queryOf = (kind: JobKind, major: number): Record<string, ParameterRule> => ({
  store: 'string',
  ...(kind === 'sync' && major >= 3 && { 'sync-direction': ['pull', 'push', 'all'] }),
})

export const workerTypes: Record<JobKind, string> = {
  sync: 'syncjob',
  verify: 'verificationjob',
  prune: 'prunejob',
}

/** Jobs whose datastores and remotes the caller may see. */
function jobs(server: BackupServer, kind: JobKind, { caller, params, now }: ApplianceCall) {
  const direction = params['sync-direction'] ?? 'pull'
  return server.jobs
    .filter((job) => job.kind === kind)
    .filter(({ store }) => params.store === undefined || params.store === store)
    .filter(({ config }) => direction === 'all' || (config['sync-direction'] ?? 'pull') === direction)
    .filter(({ store }) => caller.may('Datastore.Audit', `/datastore/${store}`))
    .filter(({ remote }) => remote === undefined || caller.may('Remote.Audit', `/remote/${remote}`))
    .map((job) => toItem(server, job, now()))
}

function toItem(server: BackupServer, job: Job, nowMs: number) {
  const { id, store, schedule, config, disabled } = job
  const run = lastRun(job, nowMs)
  return {
    id,
    store,
    schedule,
    ...config,
    ...(disabled ? { disable: true } : { 'next-run': startOf(job, nowMs) + job.everyDays * daySeconds }),
    ...(run && {
      'last-run-state': run.state,
      'last-run-upid': workerUpid(server, { type: workerTypes[job.kind], id: workerId(job), at: run.at }),
      'last-run-endtime': run.endedAt,
    }),
  }
}

export const workerId = ({ id, store }: Job): string => `${store}:${id}`

export interface Run {
  at: number
  endedAt: number
  state: string
}

/** The last completed run: while a job runs, PBS reports the previous one. */
export function lastRun(job: Job, nowMs: number): Run | undefined {
  const state = lastState(job)
  if (state === undefined) return undefined
  const at = startOf(job, nowMs)
  return runAt(job, at, state, nowMs) ?? runAt(job, at - job.everyDays * daySeconds, state, nowMs)
}

/** Result of the last run; undefined if the job never ran. */
export const lastState = ({ disabled, state, pinned }: Job): string | undefined =>
  disabled || pinned === null ? undefined : (pinned ?? state ?? 'OK')

/** Undefined while it runs. */
export function runAt({ kind }: Job, at: number, state: string, nowMs: number): Run | undefined {
  const endedAt = at + { sync: 1260, verify: 3020, prune: 18 }[kind]
  return endedAt * 1000 > nowMs ? undefined : { at, endedAt, state }
}

export function startOf({ everyDays, at }: Pick<Job, 'everyDays' | 'at'>, nowMs: number): number {
  const now = Math.floor(nowMs / 1000)
  const today = Math.floor(now / daySeconds)
  const start = (today - (today % everyDays)) * daySeconds + at
  return start > now ? start - everyDays * daySeconds : start
}
