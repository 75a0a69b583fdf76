import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { isTrue } from '../api/parameters.ts'
import { Serialised } from '../api/reply.ts'
import { startedAt } from './garbage.ts'
import { lastState, runAt, startOf, workerId, workerTypes } from './jobs.ts'
import { failed } from './access.ts'
import type { BackupServer } from './vault.ts'
import { processOf, workerUpid } from './upid.ts'

interface Task {
  upid: string
  node: string
  pid: number
  pstart: number
  starttime: number
  worker_type: string
  worker_id: string | null
  user: string
  endtime?: number
  status?: string
}

const daySeconds = 86_400
const rememberedDays = 14
/** For how many days PBS keeps tasks of single backups. */
const backupDays = 2

export const taskRoutes = (server: BackupServer): ApplianceRoute[] => [
  {
    path: '/nodes/{node}/tasks',
    query: {
      errors: 'boolean',
      limit: 'integer',
      running: 'boolean',
      since: 'integer',
      start: 'integer',
      statusfilter: 'string',
      store: 'string',
      typefilter: 'string',
      until: 'integer',
      userfilter: 'string',
    },
    answer: (call) => tasks(server, call),
  },
]

function tasks(server: BackupServer, call: ApplianceCall) {
  const { caller, params } = call
  checkNode(server, params.node!)
  const seesAll = caller.may('Sys.Audit', '/system/tasks')
  const matching = [...maintenance(server, call.now()), ...backups(server, call.now())]
    .filter(({ user }) => seesAll || user === caller.userId)
    .filter((task) => matches(task, params))
    .sort((left, right) => right.starttime - left.starttime)
  const start = Number(params.start ?? 0)
  const limit = Number(params.limit ?? 50)
  const data = matching.slice(start, limit === 0 ? undefined : start + limit)
  return new Serialised(Buffer.from(JSON.stringify({ data, total: matching.length })))
}

export function checkNode({ name }: BackupServer, node: string): void {
  if (node !== 'localhost' && node !== name) throw failed(`no such node '${node}'`)
}

function matches(task: Task, params: ApplianceCall['params']): boolean {
  const { endtime, status, worker_type: type, worker_id: id } = task
  const { since, until, typefilter, userfilter, store, statusfilter } = params
  if (isTrue(params.running) && endtime !== undefined) return false
  if (isTrue(params.errors) && (endtime === undefined || status === 'OK')) return false
  if (since !== undefined && task.starttime < Number(since)) return false
  if (until !== undefined && task.starttime > Number(until)) return false
  if (typefilter !== undefined && !type.includes(typefilter)) return false
  if (userfilter !== undefined && !task.user.includes(userfilter)) return false
  if (store !== undefined && id !== store && !id?.startsWith(`${store}:`)) return false
  return statusfilter === undefined || statusfilter.split(',').includes(kindOfEnd(status))
}

function kindOfEnd(status: string | undefined): string {
  if (status === undefined) return 'unknown'
  return status === 'OK' ? 'ok' : status.startsWith('WARNINGS') ? 'warning' : 'error'
}

function* maintenance(server: BackupServer, nowMs: number): Generator<Task> {
  for (const datastore of server.datastores) {
    if (datastore.unused) continue
    const last = startedAt(nowMs)
    for (let back = 0; back < rememberedDays; back++) {
      const at = last - back * daySeconds
      const ended = at + 142
      // Garbage collection fails on a datastore that cannot be read.
      const status = back === 0 ? (datastore.pins.error ?? 'OK') : 'OK'
      const end = ended * 1000 <= nowMs ? { endtime: ended, status } : {}
      yield aTask(server, { type: 'garbage_collection', id: datastore.name, at }, end)
    }
  }
  for (const job of server.jobs) {
    const state = lastState(job)
    if (state === undefined) continue
    const last = startOf(job, nowMs)
    for (let at = last; at > last - rememberedDays * daySeconds; at -= job.everyDays * daySeconds) {
      const run = runAt(job, at, at === last ? state : 'OK', nowMs)
      const end = run ? { endtime: run.endedAt, status: run.state } : {}
      yield aTask(server, { type: workerTypes[job.kind], id: workerId(job), at }, end)
    }
  }
}

function* backups(server: BackupServer, nowMs: number): Generator<Task> {
  const since = nowMs / 1000 - backupDays * daySeconds
  for (const { name, namespaces } of server.datastores) {
    for (const { path, groups, failures } of namespaces) {
      const groupIdOf = (type: string, id: string) => `${name}:${path && `${path}/`}${type}/${id}`
      for (const { type, id, owner, atSeconds: at } of failures?.(nowMs) ?? []) {
        const end = { endtime: at + 12, status: 'backup ended but finished flag is not set.' }
        yield aTask(server, { type: 'backup', id: groupIdOf(type, id), at, user: owner }, end)
      }
      for (const { type, id, owner, snapshots } of groups(nowMs)) {
        const groupId = groupIdOf(type, id)
        for (const { backup } of snapshots) {
          if (backup.atSeconds < since) break
          const endtime = backup.atSeconds + 30 + Math.floor(backup.luck * 400)
          const end = backup.running || endtime * 1000 > nowMs ? {} : { endtime, status: 'OK' }
          yield aTask(server, { type: 'backup', id: groupId, at: backup.atSeconds, user: owner }, end)
        }
      }
    }
  }
}

function aTask(
  server: BackupServer,
  worker: { type: string; id: string; at: number; user?: string },
  end: { endtime?: number; status?: string },
): Task {
  const { pid, pstart } = processOf(server, worker)
  return {
    upid: workerUpid(server, worker),
    node: server.name,
    pid,
    pstart,
    starttime: worker.at,
    worker_type: worker.type,
    worker_id: worker.id,
    user: worker.user ?? 'root@pam',
    ...end,
  }
}
