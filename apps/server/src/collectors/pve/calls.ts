import type { ConnectionCalls } from '@pulse/contract'
import type { Budget } from '../../polling/budget.ts'
import { CLUSTER_BUDGET, LISTING_BUDGET, nodeBudget, probeBudget } from './gateway.ts'

/** What the last minute cost the watched hosts, as a whole and by node. */
export function countCalls(name: string, budget: Budget, nodeNames: readonly string[]): ConnectionCalls {
  const nodes = nodeNames.map((node) => ({
    node,
    listCallsPerMinute: budget.count(nodeBudget(node)),
    probeCallsPerMinute: budget.count(probeBudget(node)),
    deferredCalls: budget.deferred(nodeBudget(node)) + budget.deferred(probeBudget(node)),
  }))
  const cluster = (read: 'count' | 'deferred') => budget[read](CLUSTER_BUDGET) + budget[read](LISTING_BUDGET)
  const sum = (read: (entry: (typeof nodes)[number]) => number) =>
    nodes.reduce((total, entry) => total + read(entry), 0)
  return {
    name,
    listCallsPerMinute: cluster('count') + sum((entry) => entry.listCallsPerMinute),
    probeCallsPerMinute: sum((entry) => entry.probeCallsPerMinute),
    deferredCalls: cluster('deferred') + sum((entry) => entry.deferredCalls),
    nodes: Object.fromEntries(nodes.map(({ node, ...calls }) => [node, calls])),
  }
}
