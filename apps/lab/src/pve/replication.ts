import { ApiError } from '../api/api-error.ts'
import type { Cluster, Guest } from '../estate/estate.ts'
import { fraction } from '../random.ts'
import { memberOf } from './member.ts'
import { mayAudit } from './resources.ts'
import type { Call, Route } from './route.ts'

const everySeconds = 900
/** Maximum delay until the retry after a failure. */
const retrySeconds = 300

export const replicationRoutes: readonly Route[] = [
  { path: '/cluster/replication', answer: jobs },
  { path: '/nodes/{node}/replication', query: { guest: 'integer' }, answer: states },
  { path: '/nodes/{node}/replication/{id}/status', answer: stateOfOne },
]

interface Replication {
  id: string
  guest: Guest
  target: string
}

/** Only guests on local ZFS can be replicated, and only to another member. */
export function replicationsIn(cluster: Cluster): Replication[] {
  return [...cluster.guests.values()]
    .filter(({ seed, storage, template }) => storage === 'local-zfs' && !template && fraction(seed, 77) < 0.1)
    .flatMap((guest) => {
      const target = cluster.nodes.find((node, index) => node !== guest.node && index % 2 === 0)
      return target ? [{ id: `${guest.vmid}-0`, guest, target: target.name }] : []
    })
}

const configOf = ({ id, guest, target }: Replication) => ({
  id,
  type: 'local',
  guest: guest.vmid,
  jobnum: 0,
  target,
  source: guest.node.name,
  schedule: '*/15',
})

function jobs({ cluster, rights }: Call) {
  return replicationsIn(cluster)
    .filter(({ guest }) => mayAudit(rights, guest))
    .map(configOf)
}

function statesOnNode(call: Call) {
  const node = memberOf(call)
  return replicationsIn(call.cluster).filter(
    ({ guest }) => guest.node === node && mayAudit(call.rights, guest),
  )
}

function states(call: Call) {
  const { guest: wanted } = call.params
  return statesOnNode(call)
    .filter(({ guest }) => wanted === undefined || guest.vmid === Number(wanted))
    .map((one) => toState(call, one))
}

function stateOfOne(call: Call) {
  const one = statesOnNode(call).find(({ id }) => id === call.params.id)
  if (!one) throw new ApiError(500, `no such replication job '${call.params.id}'`)
  return toState(call, one)
}

/** Replication fails while the target is down; the control API sets other failures. */
function toState({ world, cluster }: Call, one: Replication) {
  const { guest, target, id } = one
  const now = Math.floor(world.settings.now() / 1000)
  const due = now - (now % everySeconds)
  const isDown = cluster.nodes.some(({ name, online }) => name === target && !online)
  const error = guest.node.pins.replication?.[id] ?? (isDown ? unreachable(target) : undefined)
  const common = { ...configOf(one), vmtype: guest.kind, duration: 3.2 + fraction(guest.seed, due) }
  if (error === undefined) {
    return { ...common, last_sync: due, last_try: due, next_sync: due + everySeconds, fail_count: 0 }
  }
  const lastTry = now - (now % retrySeconds)
  return {
    ...common,
    last_sync: due - 4 * everySeconds,
    last_try: lastTry,
    next_sync: lastTry + retrySeconds,
    fail_count: 3,
    error,
  }
}

const unreachable = (target: string): string =>
  `command '/usr/bin/ssh -e none -o 'BatchMode=yes' root@${target} -- pvesr prepare-local-job' failed: exit code 255`
