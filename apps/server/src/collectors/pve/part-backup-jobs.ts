import type { Protection } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { freshMs } from './age.ts'
import { includes, isEnabled } from './backup-jobs.ts'
import { payOrOnce } from './first-look.ts'
import { guestKey, shown, type MapContext } from './map.ts'
import type { Part } from './part.ts'
import { readList } from './schema.ts'
import { PveBackupJob, PveUnprotected } from './schema-backups.ts'

const NAME = 'backup jobs'
const minute = 60_000
const everyMs = 10 * minute
const jobsEveryMs = 20 * minute

interface Known<T> {
  value: T
  at: number
}

/** Which guests a backup job takes along, and with it a record for each of how well it is protected. */
export const backupJobs: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { cluster: 0.2 },
  kinds: ['protections'],
  start(desk) {
    const { guests, gateway } = desk
    let unprotected: Known<ReadonlySet<number>> | undefined
    /** a first look at each list */
    let firsts = 2
    let jobs: Known<readonly PveBackupJob[]> | undefined
    let published: ReadonlyMap<string, Protection> = new Map()

    /**
     * PVE's own list of guests in no job counts jobs that are switched off, and these back up nobody. It knows who is in
     * a pool, which the jobs do not tell.
     */
    function isInJob(vmid: number, node: string): boolean | undefined {
      if (unprotected?.value.has(vmid)) return false
      if (!jobs) return unprotected && true
      if (jobs.value.some((job) => isEnabled(job) && includes(job, vmid, node))) return true
      if (!jobs.value.some((job) => isEnabled(job) && job.pool)) return false
      const isInIdle = jobs.value.some((job) => !isEnabled(job) && (job.pool || includes(job, vmid, node)))
      return isInIdle || !unprotected ? undefined : true
    }

    function toRecords(context: MapContext, now: number): ReadonlyMap<string, Protection> {
      const oldest = Math.min(unprotected?.at ?? Infinity, jobs?.at ?? Infinity)
      const isOld = now > oldest + jobsEveryMs + freshMs.late
      const records = new Map<string, Protection>()
      let isChanged = false
      for (const { vmid, node } of guests.all()) {
        const key = guestKey(context.source, vmid)
        const inJob = isInJob(vmid, node)
        const record: Protection = {
          vmid,
          ...(inJob !== undefined && { inJob }),
          source: context.source,
          ...(isOld && { staleSince: shown(oldest, context) }),
        }
        const before = published.get(key)
        const keeps = before !== undefined && isEqual(before, record)
        records.set(key, keeps ? before : record)
        if (!keeps) isChanged = true
      }
      if (isChanged || records.size !== published.size) published = records
      return published
    }

    return {
      loops: [
        {
          name: NAME,
          everyMs,
          firstAfterMs: 6_000,
          pay: () => payOrOnce(desk.budget.cluster, NAME, !unprotected && firsts-- > 0),
          async run(signal) {
            const { data, at } = await gateway.cluster('/cluster/backup-info/not-backed-up', { signal })
            const list = readList(PveUnprotected, data, '/cluster/backup-info/not-backed-up')
            unprotected = { value: new Set(list.map(({ vmid }) => vmid)), at }
            return at
          },
          failed: (_error, _failures, tell) => tell() ?? minute,
        },
        {
          name: 'list of backup jobs',
          everyMs: jobsEveryMs,
          firstAfterMs: 7_000,
          pay: () => payOrOnce(desk.budget.cluster, NAME, !jobs && firsts-- > 0),
          async run(signal) {
            const { data, at } = await gateway.cluster('/cluster/backup', { signal })
            jobs = { value: readList(PveBackupJob, data, '/cluster/backup'), at }
            return at
          },
          failed: (_error, _failures, tell) => tell() ?? minute,
        },
      ],
      records: (context, now) => ({ protections: toRecords(context, now) }),
    }
  },
}
