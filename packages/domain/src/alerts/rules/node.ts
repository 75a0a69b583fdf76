import { figures, metricsOfKind, type Node } from '@pulse/contract'
import type { Verdict } from '../condition.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { delayTypes } from '../delays.ts'
import { judgeMetric } from '../metric.ts'

/** consecutive checks */
export const offlineConfirmations = 3
/** ms between two checks of an unreachable node or source */
export const recheckMs = 10_000

const delays = delayTypes.node

export const nodeOfflineId = (record: string): string => `node-offline-${record}`

/** The cluster reports the node as offline, or the whole cluster is unreachable. */
const connectivity: Rule<Node> = {
  name: 'node-connectivity',
  seesStale: true,
  judge(node, on) {
    const isOffline = node.status === 'offline' || node.connectionHealth === 'error'
    if (!isOffline && !on.isWatched) return
    const verdict = verdictOf(node, isOffline, on)
    if (verdict.verdict === 'bad') on.recheckIn(recheckMs)
    on.emit({
      id: nodeOfflineId(on.record),
      type: 'connectivity',
      ...verdict,
      origin: on.policy.offline.origin,
      level: 'critical',
      confirmations: offlineConfirmations,
      message: messageOf(node, on),
    })
  },
}

function verdictOf(node: Node, isOffline: boolean, on: Judging): { verdict: Verdict; reason?: string } {
  const { off } = on.policy.offline
  if (off !== undefined) return { verdict: 'off', reason: off }
  if (isOffline) return { verdict: 'bad' }
  if (node.status === 'unknown' || node.connectionHealth === 'unknown')
    return { verdict: 'held', reason: 'It is unknown whether it is online.' }
  const silence = on.silence(node.source)
  return silence === undefined ? { verdict: 'fine' } : { verdict: 'held', reason: silence }
}

function messageOf({ name, status, connectionHealth, source }: Node, { tables }: Judging): string {
  if (connectionHealth !== 'error')
    return `Node ${name} is ${status === 'offline' ? 'offline' : 'not reported'}`
  const state = tables.sources.get(source)
  const why = state?.error ? `: ${state.error}` : ''
  if (state?.untrusted) return `Node ${name} cannot be monitored: the certificate is not trusted${why}`
  return state?.refused
    ? `Node ${name} cannot be monitored: access refused${why}`
    : `Node ${name} cannot be reached${why}`
}

const metrics: Rule<Node> = {
  name: 'node-metrics',
  judge(node, on) {
    for (const metric of metricsOfKind.nodes) judgeMetric(on, metric, delays, figures.nodes[metric], node)
  },
}

export const nodes: Subject<'nodes'> = {
  kind: 'nodes',
  settings: 'nodes',
  looksByItself: true,
  resource: ({ id, name, node, instance }) => ({ id, name, node, instance, type: 'Node' }),
  down(node, on) {
    const hasAlert = on.isOpen(nodeOfflineId(on.record))
    const isOfflineMuted = node.status === 'offline' && on.policy.offline.off !== undefined
    return hasAlert || isOfflineMuted ? 'It is offline.' : undefined
  },
  rules: [connectivity, metrics],
}
