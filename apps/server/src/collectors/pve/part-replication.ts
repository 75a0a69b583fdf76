import type { ReplicationJob } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { backupsEvery } from '../source.ts'
import { freshMs } from './age.ts'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'
import type { Part } from './part.ts'
import { readList } from './schema.ts'
import { PveReplication } from './schema-backups.ts'

const NAME = 'replication'
const minute = 60_000
const leastMs = { some: 17 * minute, none: 30 * minute }
/** The limit per node. */
const mostJobs = 2_000
const limits = { headersMs: 20_000, totalMs: 30_000, maxBytes: 1024 * 1024 }

interface NodeJobs {
  jobs: readonly PveReplication[]
  at: number
}

/** Replication jobs, by source node. Each node runs its own jobs. */
export const replication: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { node: 0.06 },
  callsUnlisted: {},
  kinds: ['replicationJobs'],
  start({ budget, pace }) {
    const tried = new Set<string>()
    const byNode = new Map<string, NodeJobs>()
    const intervalMs = (least: number) => backupsEvery(least, pace())
    let published: ReadonlyMap<string, ReplicationJob> = new Map()

    function toRecords(context: MapContext, now: number): ReadonlyMap<string, ReplicationJob> {
      const records = new Map<string, ReplicationJob>()
      // Both nodes may list the job of a migrating guest. The latest answer wins.
      for (const [node, { jobs, at }] of [...byNode].sort(([, one], [, other]) => one.at - other.at)) {
        const isOld = now > at + intervalMs(leastMs.none) + freshMs.late || context.lost?.has(node)
        for (const job of jobs) {
          const record = toJob(job, node, context, isOld ? at : undefined)
          const key = `${context.source}:${job.id}`
          const before = published.get(key)
          records.set(key, before && isEqual(before, record) ? before : record)
        }
      }
      const isSame = [...records].every(([key, record]) => published.get(key) === record)
      if (!isSame || records.size !== published.size) published = records
      return published
    }

    return {
      node: ({ name }, ask) => ({
        loops: [
          {
            name: NAME,
            intervalMs: () => intervalMs(byNode.get(name)?.jobs.length === 0 ? leastMs.none : leastMs.some),
            firstAfterMs: 8_000,
            deadlineMs: 35_000,
            pay: () => budget.node(name).takeOrFirst(NAME, !tried.has(name)),
            async run(signal) {
              tried.add(name)
              const { data, at } = await ask('/replication', signal, limits)
              const jobs = readList(PveReplication, data, `/nodes/${name}/replication`).slice(0, mostJobs)
              byNode.set(name, { jobs, at })
              return at
            },
            failed: (_error, _failures, report) => report() ?? minute,
          },
        ],
      }),
      records: (context, now) => ({ replicationJobs: toRecords(context, now) }),
      forget(left) {
        if (!('node' in left)) return
        byNode.delete(left.node)
        tried.delete(left.node)
      },
    }
  },
}

function toJob(
  job: PveReplication,
  node: string,
  context: MapContext,
  staleSince: number | undefined,
): ReplicationJob {
  const { id, guest, target, schedule, disable, duration, fail_count: failCount = 0 } = job
  const error = job.error?.trim()
  return {
    id: `${context.instance}-${id}`,
    instance: context.instance,
    job: id,
    vmid: guest,
    node,
    target,
    ...(schedule && { schedule }),
    enabled: !disable,
    ...momentOf('lastSync', job.last_sync),
    ...momentOf('lastTry', job.last_try),
    ...momentOf('nextSync', job.next_sync),
    ...(duration !== undefined && { durationSeconds: duration }),
    failCount,
    ...(error && { error }),
    source: context.source,
    ...(staleSince !== undefined && { staleSince: shownAt(staleSince, context) }),
  }
}

const momentOf = <K extends string>(field: K, seconds: number | undefined) =>
  (seconds === undefined ? {} : { [field]: seconds * 1000 }) as { [P in K]?: number }
