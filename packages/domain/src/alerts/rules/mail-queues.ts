import type { GatewayNode, MailGateway, QueueStatus } from '@pulse/contract'
import type { Judging, Rule } from '../judging.ts'
import { clusterKey, judgeLimits, type Limits, limitsOf } from './mail-limits.ts'

const minuteMs = 60_000
/** Limits of one node as a share of the limits of the gateway. */
const nodeShare = { warn: 0.6, critical: 0.8 } as const
/** A node this far above the median of all nodes is an outlier. */
const standsOut = 1.4

const queues = [
  ['total', 'queueTotalWarning', 'queueTotalCritical', 'queue-depth', 'queue-total', 'Mail queue'],
  [
    'deferred',
    'deferredQueueWarn',
    'deferredQueueCritical',
    'queue-deferred',
    'queue-deferred',
    'Deferred mail',
  ],
  ['hold', 'holdQueueWarn', 'holdQueueCritical', 'queue-hold', 'queue-hold', 'Held mail'],
] as const

/** Queues of a gateway, and of each node if it has several. */
export const mailQueues: Rule<MailGateway> = {
  name: 'mail-queues',
  judge(gateway, on) {
    const { name, nodes = [] } = gateway
    const cluster = clusterKey(gateway, on)
    if (nodes.length === 0) return on.holdRest('Its queues are not reported.')
    const known = nodes.filter(isKnown)
    const held = known.length < nodes.length ? 'The queues of some nodes are not known.' : undefined
    for (const [queue, warn, critical, type, nodeType, label] of queues) {
      const limits = limitsOf(on, warn, critical)
      const counts = known.map(({ queueStatus }) => queueStatus[queue])
      const total = counts.reduce((sum, count) => sum + count, 0)
      judgeLimits(on, {
        id: `${cluster}-queue-${queue}`,
        type,
        value: total,
        limits,
        held,
        message: () => `${label} of ${name}: ${total} messages`,
      })
      if (nodes.length < 2) continue
      const scaled = scale(limits)
      for (const node of nodes) {
        const count = node.queueStatus?.[queue] ?? 0
        judgeLimits(on, {
          id: `${cluster}-${node.name}-queue-${queue}`,
          type: nodeType,
          value: count,
          limits: scaled,
          held: heldOf(node),
          message: () =>
            `${label} on node ${node.name} of ${name}: ${count} messages${outlier(count, counts)}`,
          metadata: { node: node.name },
        })
      }
    }
    judgeAges(name, nodes, cluster, on)
  },
}

type Known = GatewayNode & { queueStatus: QueueStatus }
const isKnown = (node: GatewayNode): node is Known =>
  node.queueStatus !== undefined && node.staleSince === undefined
const heldOf = (node: GatewayNode) => (isKnown(node) ? undefined : 'Its queues are not known.')

const scale = ({ warn, critical, name }: Limits): Limits => ({
  warn: warn > 0 ? Math.max(1, Math.ceil(warn * nodeShare.warn)) : warn,
  critical: critical > 0 ? Math.max(1, Math.ceil(critical * nodeShare.critical)) : critical,
  name,
})

function outlier(count: number, all: readonly number[]): string {
  const sorted = [...all].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
  const isOut = median === 0 ? count > 0 : count > median * standsOut
  return isOut ? ', far above its cluster peers' : ''
}

/** The age of the oldest mail; it grows without new reports. */
function judgeAges(name: string, nodes: readonly GatewayNode[], cluster: string, on: Judging) {
  const limits = limitsOf(on, 'oldestMessageWarnMins', 'oldestMessageCritMins')
  const minutes = nodes.map((node) => minutesOf(node, on))
  const oldest = Math.max(0, ...minutes)
  judgeLimits(on, {
    id: `${cluster}-oldest-message`,
    type: 'message-age',
    value: oldest,
    limits,
    held: nodes.every(isKnown) ? undefined : 'The queues of some nodes are not known.',
    message: () => `The oldest mail in the queues of ${name} has waited for ${oldest} minutes`,
  })
  if (nodes.some(hasMail)) lookAtLimits(oldest, limits, on)
  if (nodes.length < 2) return
  const scaled = scale(limits)
  for (const [index, node] of nodes.entries()) {
    const waited = minutes[index]!
    judgeLimits(on, {
      id: `${cluster}-${node.name}-oldest-message`,
      type: 'message-age',
      value: waited,
      limits: scaled,
      held: heldOf(node),
      message: () =>
        `The oldest mail in the queue of node ${node.name} of ${name} has waited for ${waited} minutes`,
      metadata: { node: node.name },
    })
    if (hasMail(node)) lookAtLimits(waited, scaled, on)
  }
}

const hasMail = (node: GatewayNode) => isKnown(node) && node.queueStatus.oldestAt !== undefined

function minutesOf(node: GatewayNode, { wallNow }: Judging): number {
  const at = isKnown(node) ? node.queueStatus.oldestAt : undefined
  return at === undefined ? 0 : Math.max(0, Math.floor((wallNow - at) / minuteMs))
}

function lookAtLimits(minutes: number, { warn, critical }: Limits, on: Judging) {
  const next = Math.min(...[warn, critical].filter((limit) => limit > minutes))
  if (Number.isFinite(next)) on.recheckIn((next - minutes) * minuteMs)
}
