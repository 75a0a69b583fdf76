import type { FailedTask, PbsJobs, PbsServer, PveBackup } from '@pulse/contract'
import type { LiveReader } from '../../../live/store.ts'
import type { ListSource } from '../../../parts/list/list-selector.ts'

/** A failed run, or a job with a failed last run. */
export interface Failure {
  /** epoch ms; absent while unknown */
  at: number | undefined
  /** `Backup`, `Sync job`, … */
  what: string
  /** server or node that reports the failure */
  where: string
  /** the guest, datastore or job */
  subject: string
  error: string
}

type Task = Extract<PveBackup, { list: 'backupTasks' }>

export const failureKinds = ['pveBackups', 'pbs'] as const

const loggedVersions = 4

/** Failures by id. After a change it reads only the changed records, of up to 50,000 backups. */
export function createFailureSource(): (live: LiveReader) => ListSource<Failure> {
  const records = new Map<string, Failure>()
  /** failure ids by record */
  const made = new Map<string, readonly string[]>()
  let seen: { pveBackups: number; pbs: number } | undefined
  let version = 0
  let log: { version: number; ids: readonly string[] }[] = []

  return (live) => {
    const now = { pveBackups: live.version('pveBackups'), pbs: live.version('pbs') }
    const touched = new Set<string>()
    for (const kind of failureKinds) {
      if (seen && seen[kind] === now[kind]) continue
      const changed = seen && live.changedSince(kind, seen[kind])
      const known = [...made.keys()]
        .filter((key) => key.startsWith(`${kind} `))
        .map((key) => key.slice(kind.length + 1))
      for (const id of changed ?? new Set([...known, ...live.records(kind).keys()])) {
        const found = failuresOf(live, kind, id)
        const key = `${kind} ${id}`
        const before = made.get(key)
        if (!before && found.size === 0) continue
        for (const old of before ?? []) if (records.delete(old)) touched.add(old)
        for (const [one, failure] of found) {
          records.set(one, failure)
          touched.add(one)
        }
        if (found.size > 0) made.set(key, [...found.keys()])
        else made.delete(key)
      }
    }
    seen = now
    if (touched.size > 0) {
      version++
      log = [...log, { version, ids: [...touched] }].slice(-loggedVersions)
    }
    return {
      records,
      version,
      changedSince(since) {
        if (since === version) return []
        if (log[0] === undefined || log[0].version > since + 1) return undefined
        return log.filter((one) => one.version > since).flatMap(({ ids }) => ids)
      },
    }
  }
}

function failuresOf(
  live: LiveReader,
  kind: (typeof failureKinds)[number],
  id: string,
): ReadonlyMap<string, Failure> {
  if (kind === 'pveBackups') {
    const backup = live.records(kind).get(id)
    return backup?.list === 'backupTasks' ? ofTask(id, backup) : new Map()
  }
  const server = live.records(kind).get(id)
  return server ? ofServer(id, server) : new Map()
}

/** Lists a run over several guests by guest, once the failed guests are known. */
function ofTask(id: string, task: Task): Map<string, Failure> {
  const failures = new Map<string, Failure>()
  const { error, endTime, node, vmid, guests = [] } = task
  const put = (name: string, subject: string, text: string) =>
    failures.set(`${id} ${name}`, {
      at: momentOf(endTime),
      what: 'Backup',
      where: node,
      subject,
      error: text,
    })
  for (const guest of guests) if (guest.error) put(String(guest.vmid), `Guest ${guest.vmid}`, guest.error)
  if (error && failures.size === 0) put('', vmid > 0 ? `Guest ${vmid}` : 'All guests of the job', error)
  return failures
}

const jobLists = [
  ['backupJobs', 'Backup job', 'lastBackup'],
  ['syncJobs', 'Sync job', 'lastSync'],
  ['verifyJobs', 'Verify job', 'lastVerify'],
  ['pruneJobs', 'Prune job', 'lastPrune'],
  ['garbageJobs', 'Garbage collection', 'lastGarbage'],
] as const satisfies readonly (readonly [keyof PbsJobs, string, string])[]

/** A PBS job in this state finished with warnings, which is no failure. */
const warnings = 'WARNINGS'

function ofServer(id: string, server: PbsServer): Map<string, Failure> {
  const failures = new Map<string, Failure>()
  for (const [list, what, last] of jobLists) {
    for (const job of server[list] as readonly (PbsJobs['syncJobs'][number] & Record<string, unknown>)[]) {
      if (!job.error || job.error.startsWith(warnings)) continue
      failures.set(`${id} ${list} ${job.id}`, {
        at: momentOf(job[last] as string | undefined),
        what,
        where: server.name,
        subject: [job.id, job.store].filter((part, at, all) => part && all.indexOf(part) === at).join(' on '),
        error: job.error,
      })
    }
  }
  for (const task of server.failedTasks) failures.set(`${id} ${task.id}`, ofFailedTask(server, task))
  return failures
}

const taskWords: Readonly<Record<string, string>> = {
  backup: 'Backup',
  verificationjob: 'Verification',
  verify: 'Verification',
  verify_group: 'Verification',
  verify_snapshot: 'Verification',
  syncjob: 'Sync',
  sync: 'Sync',
  prunejob: 'Prune',
  prune: 'Prune',
  garbage_collection: 'Garbage collection',
}

const ofFailedTask = (server: PbsServer, task: FailedTask): Failure => ({
  at: momentOf(task.endTime ?? task.startTime),
  what: taskWords[task.type] ?? task.type,
  where: server.name,
  subject: task.subject ?? task.store ?? '',
  error: task.error,
})

function momentOf(time: string | undefined): number | undefined {
  const at = time === undefined ? Number.NaN : Date.parse(time)
  return Number.isNaN(at) ? undefined : at
}
