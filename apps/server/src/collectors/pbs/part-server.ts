import { type FailedTask, latestMs, type PbsServer } from '@pulse/contract'
import { isEqual, percentOf } from '@pulse/domain'
import type { HostPart, RecordContext } from '../proxmox/host-part.ts'
import { shownAt } from '../publish-source.ts'
import { readOne } from '../proxmox/schema.ts'
import { toSourceError } from '../source-error.ts'
import type { PbsCache } from './cache.ts'
import { hasFailed, toGarbageJob, toPruneJob, toSyncJob, toVerifyJob } from './jobs.ts'
import { PbsNodeStatus } from './schema.ts'

const PATH = '/nodes/localhost/status'
/** A smaller change of the computed start time is a clock correction and not a restart. */
const startSlackMs = 5_000

/** The server's own figures, and all other data in its single record. */
export const server: HostPart<PbsCache> = {
  name: 'server',
  calls: { perLook: 1 },
  kinds: ['pbs'],
  start({ cache, clock, get, isOn }) {
    let published: ReadonlyMap<string, PbsServer> = new Map()
    return {
      loops: [
        {
          name: 'server status',
          right: 'Sys.Audit',
          async run(signal) {
            try {
              const figures = readOne(PbsNodeStatus, await get(PATH, signal), PATH)
              cache.status = { figures, at: clock.monotonic() }
              cache.withheld = undefined
            } catch (cause) {
              if (toSourceError(cause).code === 'forbidden')
                cache.withheld =
                  'Sys.Audit is missing on /system/status: processor, memory and uptime stay unknown'
              throw cause
            }
          },
        },
      ],
      records(context) {
        const before = published.get(context.source)
        const garbage = isOn('monitorGarbageJobs') ? cache.garbage : none
        const record = toServer({ ...cache, garbage }, context, before)
        if (!before || !isEqual(before, record)) published = new Map([[context.source, record]])
        return { pbs: published }
      },
    }
  },
}

const none: PbsCache['garbage'] = new Map()

function toServer(cache: PbsCache, context: RecordContext, before: PbsServer | undefined): PbsServer {
  const { source, name, host, version, health } = context
  const { figures, at } = cache.status ?? {}
  const { used, total } = figures?.memory ?? {}
  const uptime = figures?.uptime
  const startedAt =
    uptime !== undefined && uptime * 1000 <= latestMs && at !== undefined
      ? shownAt(at, context) - uptime * 1000
      : undefined
  const isSameRun =
    startedAt !== undefined &&
    before?.startedAt !== undefined &&
    Math.abs(startedAt - before.startedAt) < startSlackMs
  return {
    id: `pbs-${name}`,
    name,
    host,
    version: version ?? '',
    // No answer does not prove that it is off. Its health and age show the missing answers.
    status: 'online',
    ...(figures?.cpu !== undefined && { cpu: Math.max(0, figures.cpu) }),
    ...(used !== undefined &&
      total && { memoryUsed: used, memoryTotal: total, memory: percentOf(used, total) }),
    ...(startedAt !== undefined && { startedAt: isSameRun ? before!.startedAt : startedAt }),
    ...(cache.withheld !== undefined && { withheld: cache.withheld }),
    backupJobs: [],
    syncJobs: (cache.jobs.get('sync') ?? []).map(toSyncJob),
    verifyJobs: (cache.jobs.get('verify') ?? []).map(toVerifyJob),
    pruneJobs: (cache.jobs.get('prune') ?? []).map(toPruneJob),
    garbageJobs: [...cache.garbage].map(([store, job]) => toGarbageJob(store, job)),
    failedTasks: notReportedByJobs(cache),
    connectionHealth: health,
    source,
  }
}

/** Failed tasks without the last failed run of each job, because the job reports the same error. */
function notReportedByJobs({ jobs, garbage, failedTasks }: PbsCache): FailedTask[] {
  if (failedTasks.length === 0) return []
  const reported = [...jobs.values(), garbage.values()].flatMap((list) =>
    [...list].flatMap((job) => (hasFailed(job) ? [job['last-run-upid']] : [])),
  )
  return failedTasks.filter(({ id }) => !reported.includes(id))
}
