import type { MonitorFlag } from '@pulse/contract'
import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { toSourceError } from '../source-error.ts'
import type { JobKind, PbsCache } from './cache.ts'
import { PbsJob } from './schema.ts'

/** The limit per kind. */
const mostJobs = 1_000
/** Earlier versions have only pull jobs and refuse the parameter. */
const pushes = { major: 3, minor: 3 }

/** The scheduled jobs of one kind, with the result of each. */
const jobs = (kind: JobKind, flag: MonitorFlag): HostPart<PbsCache> => ({
  name: `${kind} jobs`,
  flags: [flag],
  calls: { perLook: 1 },
  start({ cache, get, version }) {
    const path = `/admin/${kind}`
    let asksForAll = true

    /** Push jobs are listed only on request. */
    async function ask(signal: AbortSignal): Promise<unknown> {
      if (kind !== 'sync' || !asksForAll || !isSince(version(), pushes)) return get(path, signal)
      try {
        return await get(`${path}?sync-direction=all`, signal)
      } catch (cause) {
        if (toSourceError(cause).code !== 'server') throw cause
        asksForAll = false
        return get(path, signal)
      }
    }

    return {
      loops: [
        {
          name: `${kind} jobs`,
          right: 'Datastore.Audit',
          async run(signal) {
            cache.jobs.set(kind, readList(PbsJob, await ask(signal), path).slice(0, mostJobs))
          },
        },
      ],
      stop: () => void cache.jobs.delete(kind),
    }
  },
})

export const syncJobs: HostPart<PbsCache> = jobs('sync', 'monitorSyncJobs')
export const verifyJobs: HostPart<PbsCache> = jobs('verify', 'monitorVerifyJobs')
export const pruneJobs: HostPart<PbsCache> = jobs('prune', 'monitorPruneJobs')

function isSince(version: string | undefined, { major, minor }: typeof pushes): boolean {
  const [of = 0, at = 0] = (version ?? '').split('.').map(Number)
  return of > major || (of === major && at >= minor)
}
