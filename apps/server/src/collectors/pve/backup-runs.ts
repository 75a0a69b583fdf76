import type { GuestOfTask, PveBackup } from '@pulse/contract'
import type { BackupCache } from './backup-cache.ts'
import { isEnded, toTask } from './backup-records.ts'
import type { PveTask } from './schema-backups.ts'

type Task = Extract<PveBackup, { list: 'backupTasks' }>

/** A node has about one run per night. Older ones add no information. */
const keptOfNode = 100
/** For older runs, the results of single guests are not read any more. */
const readOfNode = 3
const snapshotTypes = /^(qm|vz)(snapshot|delsnapshot|rollback)$/
const listOf = (node: string) => `runs ${node}`

interface Run {
  task: PveTask
  /** set after the log of a run over several guests was read */
  guests?: readonly GuestOfTask[]
}

/** The known runs of vzdump, and the lists that must have changed because of them. */
export class BackupRuns {
  readonly #cache: BackupCache
  /** newest first */
  readonly #byNode = new Map<string, Map<string, Run>>()
  /** the time when the end of a run was noticed, by node; monotonic */
  readonly #endedAt = new Map<string, number>()
  /** the time when a change of snapshots was noticed, by guest */
  readonly #changedAt = new Map<number, number>()
  /** snapshot tasks that are known to have ended */
  #seen: ReadonlySet<string> | undefined

  constructor(cache: BackupCache) {
    this.#cache = cache
  }

  /** Takes over the cluster's recent tasks. */
  news(tasks: readonly PveTask[], at: number, freshForMs: number): void {
    const runs = tasks.filter(({ type }) => type === 'vzdump')
    for (const [node, those] of Map.groupBy(runs, (task) => task.node))
      this.learn(node, those, at, freshForMs)
    const ended = new Set<string>()
    for (const task of tasks) {
      if (!snapshotTypes.test(task.type ?? '') || !isEnded(task)) continue
      ended.add(task.upid)
      const vmid = Number(task.id)
      if (this.#seen && !this.#seen.has(task.upid) && vmid > 0) this.#changedAt.set(vmid, at)
    }
    this.#seen = ended
  }

  /** Takes over runs of one node, possibly not all of them. Known runs stay. */
  learn(node: string, tasks: readonly PveTask[], at: number, freshForMs: number): void {
    const known = this.#byNode.get(node)
    const runs = known ?? new Map<string, Run>()
    const newestSeconds = Math.max(0, ...[...runs.values()].map(({ task }) => task.starttime))
    for (const task of tasks) {
      const before = runs.get(task.upid)
      if (before && isEnded(before.task)) continue
      runs.set(task.upid, { task })
      const isNews = before !== undefined || task.starttime > newestSeconds
      if (known && isNews && isEnded(task)) this.#endedAt.set(node, at)
    }
    const newest = [...runs].sort(([, one], [, other]) => other.task.starttime - one.task.starttime)
    this.#byNode.set(node, new Map(newest.slice(0, keptOfNode)))
    thin(this.#byNode.get(node)!.values())
    this.#write(node, at, freshForMs)
  }

  /** The results of single guests in a run over several. */
  learnGuests(
    node: string,
    upid: string,
    guests: readonly GuestOfTask[],
    at: number,
    freshForMs: number,
  ): void {
    const run = this.#byNode.get(node)?.get(upid)
    if (!run) return
    run.guests = guests
    thin(this.#byNode.get(node)!.values())
    this.#write(node, at, freshForMs)
  }

  /** Among the latest runs over several guests, those without guest results, newest first. */
  unread(node: string): PveTask[] {
    return [...(this.#byNode.get(node)?.values() ?? [])]
      .filter(({ task }) => !task.id && isEnded(task))
      .slice(0, readOfNode)
      .filter(({ guests }) => !guests)
      .map(({ task }) => task)
  }

  running(): PveTask[] {
    return [...this.#byNode.values()].flatMap((runs) =>
      [...runs.values()].flatMap(({ task }) => (isEnded(task) ? [] : [task])),
    )
  }

  /** The latest noticed end of a run that may have written there: on that node, or on any. */
  endedAt(node?: string): number {
    if (node !== undefined) return this.#endedAt.get(node) ?? -Infinity
    return Math.max(-Infinity, ...this.#endedAt.values())
  }

  changedAt(vmid: number): number {
    return this.#changedAt.get(vmid) ?? -Infinity
  }

  forget(left: { node: string } | { vmid: number }): void {
    if ('vmid' in left) this.#changedAt.delete(left.vmid)
    else {
      this.#byNode.delete(left.node)
      this.#endedAt.delete(left.node)
      this.#cache.drop((name) => name === listOf(left.node))
    }
  }

  clear(): void {
    this.#byNode.clear()
    this.#endedAt.clear()
    this.#changedAt.clear()
    this.#seen = undefined
    this.#cache.drop((name) => name.startsWith('runs '))
  }

  #write(node: string, at: number, freshForMs: number): void {
    const { owner } = this.#cache
    const records = [...this.#byNode.get(node)!.values()].map(({ task, guests }): Task => ({
      ...toTask(task, owner),
      ...(guests && { guests: [...guests] }),
    }))
    this.#cache.learn(listOf(node), records, at, freshForMs, node)
  }
}

/** Only the newest run lists a guest's successful backup. Otherwise each of a hundred nights would. */
function thin(newestFirst: Iterable<Run>): void {
  const listed = new Set<number>()
  for (const run of newestFirst) {
    const { task, guests = [] } = run
    if (!isEnded(task)) continue
    const news = guests.filter(({ vmid, error }) => error !== undefined || !listed.has(vmid))
    if (news.length < guests.length) run.guests = news
    for (const { vmid } of news) listed.add(vmid)
    if (task.id) listed.add(Number(task.id))
  }
}
