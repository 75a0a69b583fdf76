import type { GuestOfTask } from '@pulse/contract'
import { backupsEvery } from '../source.ts'
import { toSourceError } from '../source-error.ts'
import { freshMs } from './age.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { readList, readLooseList } from './schema.ts'
import { PveLogLine, PveTask } from './schema-backups.ts'

const NAME = 'backup runs'
const minute = 60_000
/** The shortest interval for rereading a node's history. The cluster lists new runs. */
const leastHistoryMs = 60 * minute
const nodeIntervalMs = 20 * minute
const logLines = 20_000
const limits = { headersMs: 20_000, totalMs: 30_000, maxBytes: 4 * 1024 * 1024 }

/** The runs of vzdump: those in progress, their results, and the results of each guest. */
export const backupRuns: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { perMinute: 2 / 3, node: 0.05 },
  callsUnlisted: { perMinute: 2 / 3 },
  start(context) {
    const { runs } = context
    let firsts = 1
    const intervalMs = () => backupsEvery(90_000, context.pace())
    return {
      loops: [
        {
          name: NAME,
          intervalMs,
          firstAfterMs: 1_000,
          pay: () => context.budget.source.takeOrFirst(NAME, firsts-- > 0),
          failed: (_error, _failures, report) => report() ?? minute,
          async run(signal) {
            const { data, at } = await context.gateway.cluster('/cluster/tasks', { signal, limits })
            runs.news(readList(PveTask, data, '/cluster/tasks'), at, intervalMs() + freshMs.late)
            return at
          },
        },
      ],
      node: (node, ask) => watch(context, node, ask),
      forget: (left) => runs.forget(left),
      stop: () => runs.clear(),
    }
  },
}

/** The cluster keeps only the last two dozen tasks per node, of any kind. A node's list goes back further. */
function watch(context: ClusterContext, { name }: WatchedNode, ask: AskNode): NodeRun {
  const { runs, clock } = context
  const shares = context.budget.node(name)
  let listedAt = -Infinity
  /** remaining first reads: of the list, and of the newest log */
  let firsts = 2
  const unread = () => runs.unread(name)
  const historyMs = () => backupsEvery(leastHistoryMs, context.pace())

  async function list(signal: AbortSignal): Promise<number> {
    const query = 'typefilter=vzdump&source=all&limit=100'
    const { data, at } = await ask(`/tasks?${query}`, signal, limits)
    listedAt = at
    runs.learn(name, readList(PveTask, data, `/nodes/${name}/tasks`), at, historyMs() + freshMs.late)
    return at
  }

  async function readLog({ upid }: PveTask, signal: AbortSignal): Promise<number> {
    const learn = (guests: readonly GuestOfTask[], at: number) =>
      runs.learnGuests(name, upid, guests, at, historyMs() + freshMs.late)
    try {
      const path = `/tasks/${encodeURIComponent(upid)}/log?limit=${logLines}`
      const { data, at } = await ask(path, signal, limits)
      learn(guestsIn(readLooseList(PveLogLine, data).map(({ t = '' }) => t)), at)
      return at
    } catch (cause) {
      const { isRefusal, code } = toSourceError(cause)
      // A log that is gone, or that only its owner may read, is not requested again.
      if (!isRefusal && code !== 'server') throw cause
      learn([], clock.monotonic())
      return clock.monotonic()
    }
  }

  return {
    loops: [
      {
        name: NAME,
        intervalMs: () => (firsts > 0 ? 1_000 : nodeIntervalMs),
        firstAfterMs: 4_000,
        deadlineMs: 40_000,
        hold() {
          const leftMs = listedAt + historyMs() - clock.monotonic()
          return leftMs <= 0 || unread().length > 0 ? 0 : Math.min(leftMs, nodeIntervalMs)
        },
        pay: () => shares.takeOrFirst(NAME, firsts-- > 0),
        async run(signal) {
          const [newest] = unread()
          const isListed = clock.monotonic() - listedAt < historyMs()
          return newest && isListed ? readLog(newest, signal) : list(signal)
        },
        failed: (_error, _failures, report) => report() ?? minute,
      },
    ],
  }
}

const started = /^INFO: Starting Backup of VM (\d{1,9}) /
const failed = /^ERROR: Backup of VM (\d{1,9}) failed - (.{1,300})/

/** The result of each guest, from the log of the run. */
export function guestsIn(lines: readonly string[]): GuestOfTask[] {
  const guests = new Map<number, GuestOfTask>()
  for (const line of lines) {
    const begun = started.exec(line)
    if (begun) guests.set(Number(begun[1]), { vmid: Number(begun[1]) })
    const broken = failed.exec(line)
    if (broken) guests.set(Number(broken[1]), { vmid: Number(broken[1]), error: broken[2]! })
  }
  return [...guests.values()]
}
