import type { Protection } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { backupsEvery } from '../source.ts'
import { freshMs } from './age.ts'
import { isInJob, toJob, type BackupJob } from './backup-jobs.ts'
import { shownAt } from '../publish-source.ts'
import { guestKey, type MapContext } from './map.ts'
import type { Part, PartLoop } from './part.ts'
import { readList } from './schema.ts'
import { PveBackupJob, PveUnprotected } from './schema-backups.ts'

const NAME = 'backup jobs'
const minute = 60_000
/** The shortest intervals. The settings may have a longer one. */
const leastMs = { unprotected: 10 * minute, jobs: 20 * minute }

interface Known<T> {
  value: T
  at: number
}

/** The guests in backup jobs, and a record per guest of how well it is protected. */
export const backupJobs: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { perMinute: 0.2 },
  kinds: ['protections'],
  start(context) {
    const { guests, gateway } = context
    const intervalMs = (least: number) => backupsEvery(least, context.pace())
    let unprotected: Known<ReadonlySet<number>> | undefined
    let jobs: Known<readonly BackupJob[]> | undefined
    /** remaining first reads, one per list */
    let firsts = 2
    const byVmid = new Map<number, { record: Protection; node: string }>()
    let published: ReadonlyMap<string, Protection> = new Map()
    /** the inputs of all records; a change rebuilds them */
    let made: unknown[] = []

    /** A guest's record keeps its identity while its inputs are unchanged. */
    function toRecords(context: MapContext, now: number): ReadonlyMap<string, Protection> {
      const oldest = Math.min(unprotected?.at ?? Infinity, jobs?.at ?? Infinity)
      const isOld = now > oldest + intervalMs(leastMs.jobs) + freshMs.late
      const from = [unprotected?.value, jobs?.value, isOld && oldest, context.source]
      const keeps = from.every((one, index) => one === made[index])
      made = from
      let isChanged = !keeps || byVmid.size !== guests.size
      if (!keeps) byVmid.clear()
      for (const { vmid, node } of guests.all()) {
        if (byVmid.get(vmid)?.node === node) continue
        const inJob = isInJob({ jobs: jobs?.value, unprotected: unprotected?.value }, vmid, node)
        const record: Protection = {
          vmid,
          ...(inJob !== undefined && { inJob }),
          source: context.source,
          ...(isOld && { staleSince: shownAt(oldest, context) }),
        }
        const before = published.get(guestKey(context.source, vmid))
        byVmid.set(vmid, { node, record: before && isEqual(before, record) ? before : record })
        isChanged = true
      }
      if (!isChanged) return published
      for (const vmid of byVmid.keys()) if (!guests.get(vmid)) byVmid.delete(vmid)
      published = new Map([...byVmid].map(([vmid, { record }]) => [guestKey(context.source, vmid), record]))
      return published
    }

    /** Early releases of 7 lack the first call, which is no fault of the host. */
    const failed: PartLoop['failed'] = (error, _failures, report) =>
      error.code === 'unsupported' ? 60 * minute : (report() ?? minute)

    return {
      loops: [
        {
          name: NAME,
          intervalMs: () => intervalMs(leastMs.unprotected),
          firstAfterMs: 6_000,
          pay: () => context.budget.source.takeOrFirst(NAME, !unprotected && firsts-- > 0),
          async run(signal) {
            const { data, at } = await gateway.cluster('/cluster/backup-info/not-backed-up', { signal })
            const list = readList(PveUnprotected, data, '/cluster/backup-info/not-backed-up')
            unprotected = { value: new Set(list.map(({ vmid }) => vmid)), at }
            return at
          },
          failed,
        },
        {
          name: 'list of backup jobs',
          intervalMs: () => intervalMs(leastMs.jobs),
          firstAfterMs: 7_000,
          pay: () => context.budget.source.takeOrFirst(NAME, !jobs && firsts-- > 0),
          async run(signal) {
            const { data, at } = await gateway.cluster('/cluster/backup', { signal })
            jobs = { value: readList(PveBackupJob, data, '/cluster/backup').map(toJob), at }
            return at
          },
          failed,
        },
      ],
      records: (context, now) => ({ protections: toRecords(context, now) }),
    }
  },
}
