import type { Guest, Node } from '../estate/estate.ts'
import { isBeingBackedUp, lastNightly, runningSinceSeconds } from '../protection/backups.ts'
import type { Settings } from '../options.ts'
import { fraction } from '../random.ts'
import { memberOf } from './member.ts'
import { isTrue } from '../api/parameters.ts'
import { Serialised } from '../api/reply.ts'
import type { Call, Route } from './route.ts'

export interface Task {
  upid: string
  node: string
  pid: number
  pstart: number
  starttime: number
  endtime?: number
  type: string
  id: string
  user: string
  status?: string
}

const daySeconds = 86_400

export const taskRoutes: readonly Route[] = [
  {
    path: '/nodes/{node}/tasks',
    query: {
      errors: 'boolean',
      limit: 'integer',
      since: 'integer',
      source: ['archive', 'active', 'all'],
      start: 'integer',
      statusfilter: 'string',
      typefilter: 'string',
      until: 'integer',
      userfilter: 'string',
      vmid: 'integer',
    },
    answer: nodeTasks,
  },
  { path: '/cluster/tasks', answer: clusterTasks },
]

function nodeTasks(call: Call) {
  const { world, rights, caller, params } = call
  const node = memberOf(call)
  const seesAll = rights.has(`/nodes/${node.name}`, 'Sys.Audit')
  const matching = tasksOf(node, world.readings.guestsOn(node), world.settings)
    .filter((task) => seesAll || task.user === caller.userId)
    .filter((task) => matches(task, params))
  const start = Number(params.start ?? 0)
  const data = matching.slice(start, start + Number(params.limit ?? 50))
  return new Serialised(Buffer.from(JSON.stringify({ data, total: matching.length })))
}

function clusterTasks({ world, cluster, rights, caller }: Call) {
  return cluster.nodes
    .filter(({ online }) => online)
    .flatMap((node) => {
      const seesAll = rights.has(`/nodes/${node.name}`, 'Sys.Audit')
      const tasks = tasksOf(node, world.readings.guestsOn(node), world.settings).filter(
        (task) => seesAll || task.user === caller.userId,
      )
      return tasks.slice(0, 25).map((task) => ({ ...task, saved: task.endtime === undefined ? '0' : '1' }))
    })
}

function matches(task: Task, params: Call['params']): boolean {
  const running = task.endtime === undefined
  const source = params.source ?? 'archive'
  if (source === 'archive' && running) return false
  if (source === 'active' && !running) return false
  if (params.typefilter !== undefined && task.type !== params.typefilter) return false
  if (params.vmid !== undefined && task.id !== params.vmid) return false
  if (params.since !== undefined && task.starttime < Number(params.since)) return false
  if (params.until !== undefined && task.starttime > Number(params.until)) return false
  if (params.userfilter !== undefined && !task.user.includes(params.userfilter)) return false
  if (isTrue(params.errors) && (running || task.status === 'OK')) return false
  return params.statusfilter === undefined || params.statusfilter.split(',').includes(kindOfEnd(task))
}

function kindOfEnd({ status }: Task): string {
  if (status === 'OK') return 'ok'
  if (status === undefined || status === 'unexpected status') return 'unknown'
  return status.startsWith('WARNINGS') ? 'warning' : 'error'
}

type Remembers = Pick<Settings, 'now' | 'taskDays'>

/** Newest first. A machine runs about the same tasks every day, at its own minute. */
export function tasksOf(node: Node, guests: readonly Guest[], remembers: Remembers): Task[] {
  const now = Math.floor(remembers.now() / 1000)
  const today = Math.floor(now / daySeconds)
  const daily = Array.from({ length: remembers.taskDays }, (_, back) =>
    oneDay(node, guests, today - back),
  ).flat()
  return [
    ...runningBackups(node, guests, now),
    ...failedBackups(node, guests, now),
    ...daily.filter(({ starttime }) => starttime <= now),
  ]
    .map((task) => (task.endtime !== undefined && task.endtime > now ? stillRunning(task) : task))
    .sort((left, right) => right.starttime - left.starttime)
}

const nightlyStorage = ({ cluster }: Node) => cluster.storages.find(({ name }) => name === 'pbs-main')!

/** Time until the last guest is finished; the job has no result before. */
const nightlyLastsSeconds = 8_000

function oneDay(node: Node, guests: readonly Guest[], day: number): Task[] {
  const midnight = day * daySeconds
  const luck = fraction(node.seed, day)
  const backup = luck < 0.06 ? 'job errors' : luck < 0.12 ? 'WARNINGS: 2' : 'OK'
  const tasks = [
    aTask(node, {
      type: 'vzdump',
      id: '',
      at: midnight + nightlyStorage(node).nightlyAtSeconds,
      lasts: nightlyLastsSeconds + Math.floor(luck * 1200),
      status: backup,
    }),
    aTask(node, {
      type: 'aptupdate',
      id: '',
      at: midnight + 14_400 + Math.floor(luck * 3600),
      lasts: 4,
      status: 'OK',
    }),
  ]
  const single = guests[day % Math.max(1, guests.length)]
  if (single) {
    const id = String(single.vmid)
    const failed = fraction(node.seed ^ 1, day) < 0.2
    const status = failed ? `command '/usr/bin/lxc-usernsexec tar' failed: exit code 1` : 'OK'
    tasks.push(
      aTask(node, { type: 'vzdump', id, at: midnight + 43_200, lasts: 240, status, user: 'admin@pve' }),
    )
    const type = single.kind === 'qemu' ? 'qmstart' : 'vzstart'
    if (day % 3 === 0) tasks.push(aTask(node, { type, id, at: midnight + 28_800, lasts: 2, status: 'OK' }))
  }
  return tasks
}

function runningBackups(node: Node, guests: readonly Guest[], now: number): Task[] {
  return guests.filter(isBeingBackedUp).map(({ vmid }) => {
    const at = runningSinceSeconds(now)
    return stillRunning(aTask(node, { type: 'vzdump', id: String(vmid), at, lasts: 1, status: '' }))
  })
}

/** The tasks of guests whose last backup failed. */
function failedBackups(node: Node, guests: readonly Guest[], now: number): Task[] {
  const storage = nightlyStorage(node)
  return guests.flatMap((guest) => {
    const { fails } = guest.fate
    if (fails === undefined) return []
    const at = lastNightly(guest, storage, now)
    return [aTask(node, { type: 'vzdump', id: String(guest.vmid), at, lasts: 12, status: fails })]
  })
}

function stillRunning({ endtime: _, status: __, ...task }: Task): Task {
  return { ...task, status: 'RUNNING' }
}

interface Plan {
  type: string
  id: string
  at: number
  lasts: number
  status: string
  user?: string
}

function aTask(node: Node, { type, id, at, lasts, status, user = 'root@pam' }: Plan): Task {
  const pid = 10_000 + Math.floor(fraction(node.seed ^ at, id.length + type.length) * 3_000_000)
  const pstart = Math.max(1, Math.floor((at - node.bootedAtMs / 1000) * 100))
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
  return {
    upid: `UPID:${node.name}:${hex(pid)}:${hex(pstart)}:${hex(at)}:${type}:${id}:${user}:`,
    node: node.name,
    pid,
    pstart,
    starttime: at,
    endtime: at + lasts,
    type,
    id,
    user,
    status,
  }
}
