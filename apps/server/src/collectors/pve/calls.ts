import type { ConnectionCalls } from '@pulse/contract'
import type { Budget } from '../../polling/budget.ts'
import { CLUSTER_BUDGET, nodeBudget, probeBudget } from './gateway.ts'

/** What the last minute cost the watched hosts, as a whole and by node. */
export function countCalls(name: string, budget: Budget, nodeNames: readonly string[]): ConnectionCalls {
  const nodes = nodeNames.map((node) => ({
    node,
    listCallsPerMinute: budget.count(nodeBudget(node)),
    probeCallsPerMinute: budget.count(probeBudget(node)),
    deferredCalls: budget.deferred(nodeBudget(node)) + budget.deferred(probeBudget(node)),
  }))
  const sum = (read: (entry: (typeof nodes)[number]) => number) =>
    nodes.reduce((total, entry) => total + read(entry), 0)
  return {
    name,
    listCallsPerMinute: budget.count(CLUSTER_BUDGET) + sum((entry) => entry.listCallsPerMinute),
    probeCallsPerMinute: sum((entry) => entry.probeCallsPerMinute),
    deferredCalls: budget.deferred(CLUSTER_BUDGET) + sum((entry) => entry.deferredCalls),
    nodes: Object.fromEntries(nodes.map(({ node, ...calls }) => [node, calls])),
  }
}
