import type { FailedTask } from '@pulse/contract'
import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import type { PbsCache } from './cache.ts'
import { timeOf } from './jobs.ts'
import { PbsTask } from './schema.ts'

const PATH = '/nodes/localhost/tasks'
const day = 86_400
const keptDays = 7
const mostFailed = 50
const mostRecent = 500
/** The server's clock may be slightly behind. */
const overlapSeconds = 120
/** Task types that change a datastore's backups, or the data about them. */
const touching = ['backup', 'prune', 'prunejob', 'verif', 'sync', 'garbage_collection', 'delete']

/** Recent failures on the server, and changes of its backups since the last poll. */
export const tasks: HostPart<PbsCache> = {
  name: 'tasks',
  calls: { perLook: 2 },
  start(context) {
    const { cache, get, wake } = context
    const now = () => Math.floor(context.now() / 1000)
    let lookedAt: number | undefined
    let seen = new Set<string>()

    /** Marks datastores as due if a task that changes them has ended since the last look. */
    async function watch(signal: AbortSignal) {
      const since = lookedAt ?? now()
      const path = `${PATH}?limit=${mostRecent}&since=${since - overlapSeconds}`
      const rows = readList(PbsTask, await get(path, signal), PATH).slice(0, mostRecent)
      const ended = rows.filter(({ endtime }) => endtime !== undefined)
      const news = ended.filter(({ upid }) => !seen.has(upid))
      const isFirst = lookedAt === undefined
      // Tasks are listed by start time, so `since` must not pass the oldest task that still runs.
      const running = rows.filter(({ endtime }) => endtime === undefined).map(({ starttime }) => starttime)
      lookedAt = Math.max(now() - day, Math.min(now(), ...running))
      seen = new Set(ended.map(({ upid }) => upid))
      if (isFirst) return
      const touched = new Set(news.filter(isTouching).map(storeOf))
      for (const store of touched) cache.snapshots.due(store)
      if (touched.size > 0) wake('snapshots')
    }

    return {
      loops: [
        {
          name: 'failed tasks',
          right: 'Sys.Audit',
          async run(signal) {
            const path = `${PATH}?errors=true&limit=${mostFailed}&since=${now() - keptDays * day}`
            const failed = readList(PbsTask, await get(path, signal), PATH)
            cache.failedTasks = failed.flatMap(toFailed).slice(0, mostFailed)
          },
        },
        { name: 'tasks', right: 'Sys.Audit', run: watch },
      ],
      stop: () => void (cache.failedTasks = []),
    }
  },
}

const isTouching = ({ worker_type: type }: PbsTask) => touching.some((word) => type.startsWith(word))
/** Reads `main` from `main:vm/100`, from `main`, or from an id with a job's name. */
const storeOf = ({ worker_id: id }: PbsTask): string | undefined => id?.split(':')[0]

function toFailed({ upid, worker_type: type, worker_id: subject, status, ...task }: PbsTask): FailedTask[] {
  const startTime = timeOf(task.starttime)
  if (!status || status === 'OK' || status.startsWith('WARNINGS') || startTime === undefined) return []
  const endTime = timeOf(task.endtime)
  const store = storeOf({ upid, worker_type: type, worker_id: subject, status, ...task })
  return [
    {
      id: upid,
      type,
      ...(store && { store }),
      ...(subject && { subject }),
      startTime,
      ...(endTime && { endTime }),
      error: status,
    },
  ]
}
