import { ApiError } from '../api/api-error.ts'
import { Serialised } from '../api/reply.ts'
import type { Guest, Node } from '../estate/estate.ts'
import { isExcluded } from '../protection/plans.ts'
import { memberOf } from './member.ts'
import type { Call, Route } from './route.ts'
import { tasksOf } from './tasks.ts'
import type { Task } from './tasks.ts'

export const taskLogRoutes: readonly Route[] = [
  { path: '/nodes/{node}/tasks/{upid}/status', answer: status },
  {
    path: '/nodes/{node}/tasks/{upid}/log',
    query: (major) => ({ start: 'integer', limit: 'integer', ...(major >= 8 && { download: 'boolean' }) }),
    answer: log,
  },
]

/** Only callers who may audit the node see tasks of other users. */
function taskAsked({ world, rights, caller, params, ...call }: Call): { node: Node; task: Task } {
  const node = memberOf({ ...call, params })
  const task = tasksOf(node, world.readings.guestsOn(node), world.settings).find(
    ({ upid }) => upid === params.upid,
  )
  if (!task) throw new ApiError(500, `unable to parse worker upid '${params.upid}'`)
  if (task.user !== caller.userId && !rights.has(`/nodes/${node.name}`, 'Sys.Audit')) {
    throw new ApiError(403, `Permission check failed (/nodes/${node.name}, Sys.Audit)`)
  }
  return { node, task }
}

function status(call: Call) {
  const { endtime, status: ended, ...task } = taskAsked(call).task
  if (endtime === undefined) return { ...task, status: 'running' }
  return { ...task, status: 'stopped', exitstatus: ended }
}

function log(call: Call) {
  const { node, task } = taskAsked(call)
  const lines =
    task.type === 'vzdump' ? backupLog(call.world.readings.guestsOn(node), task) : [`starting ${task.type}`]
  const ending =
    task.status === 'OK' ? 'TASK OK' : task.status?.startsWith('WARNINGS') ? `TASK ${task.status}` : undefined
  const last = task.endtime === undefined ? [] : [ending ?? `TASK ERROR: ${task.status}`]
  const all = [...lines, ...last].map((t, index) => ({ n: index + 1, t }))
  const start = Number(call.params.start ?? 0)
  const data = all.slice(start, start + Number(call.params.limit ?? 50))
  return new Serialised(Buffer.from(JSON.stringify({ data, total: all.length })))
}

/** Only this log shows which guests of a job failed. */
function backupLog(guests: readonly Guest[], task: Task): string[] {
  const saved =
    task.id === ''
      ? guests.filter((guest) => !guest.template && !isExcluded(guest))
      : guests.filter(({ vmid }) => String(vmid) === task.id)
  const running = task.endtime === undefined
  const failed = new Set(failedIn(task, saved))
  return [
    `INFO: starting new backup job: vzdump ${task.id === '' ? '--all 1' : task.id} --mode snapshot --storage pbs-main`,
    ...saved.flatMap((guest, index) => {
      const kind = guest.kind === 'qemu' ? 'qemu' : 'lxc'
      const begun = `INFO: Starting Backup of VM ${guest.vmid} (${kind})`
      if (running && index === saved.length - 1) return [begun]
      if (!failed.has(guest))
        return [begun, `INFO: Finished Backup of VM ${guest.vmid} (00:00:${10 + (index % 50)})`]
      const reason = task.id === '' ? 'job failed with err -5 - Input/output error' : task.status
      return [begun, `ERROR: Backup of VM ${guest.vmid} failed - ${reason}`]
    }),
    ...(failed.size > 0
      ? ['INFO: Failed backup job with errors']
      : running
        ? []
        : ['INFO: Backup job finished successfully']),
  ]
}

function failedIn({ id, status, starttime, endtime }: Task, saved: readonly Guest[]): Guest[] {
  const isFine = endtime === undefined || status === 'OK' || status?.startsWith('WARNINGS')
  if (isFine || saved.length === 0) return []
  return id === '' ? [saved[starttime % saved.length]!] : [...saved]
}
