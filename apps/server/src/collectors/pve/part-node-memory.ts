import { SOON_MS } from '../../polling/publisher.ts'
import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import type { ClusterContext } from './context.ts'
import { lacksCacheFields } from './memory.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { PveRrdPoint, readLooseList } from './schema.ts'

const intervalMs = 120_000
/** Interval of checks whether a query is needed. */
const idleMs = 15_000
const limits = { headersMs: 4_000, totalMs: 5_000, maxBytes: 1024 * 1024 }
const pauses: Backoff = { firstMs: 120_000, longestMs: 1_800_000 }

/** A node's available memory from its RRD data, only for nodes whose status counts page cache as used. */
export const nodeMemory: Part = {
  name: 'node memory',
  calls: { node: 0.5 },
  callsUnlisted: {},
  start: (context) => ({ node: (node, ask) => watch(context, node, ask) }),
}

function watch(context: ClusterContext, { name }: WatchedNode, ask: AskNode): NodeRun {
  const { nodes, clock } = context
  let askAt = 0
  let failures = 0
  return {
    loops: [
      {
        name: 'memory',
        intervalMs,
        firstAfterMs: 200,
        deadlineMs: 10_000,
        wakes: [],
        hold() {
          const memory = nodes.get(name)?.status?.memory
          if (!memory || !lacksCacheFields(memory) || context.listsByNode()) return idleMs
          return Math.max(0, askAt - clock.monotonic())
        },
        async run(signal) {
          const { data, at } = await ask('/rrddata?timeframe=hour&cf=AVERAGE', signal, limits)
          const point = readLooseList(PveRrdPoint, data).findLast((entry) => entry.memavailable !== undefined)
          if (point?.memavailable !== undefined) {
            nodes.learnRrd(name, { available: point.memavailable }, at)
            failures = 0
            return context.publish(SOON_MS)
          }
          // Releases before 9 do not record it, and will not until the next upgrade.
          askAt = at + backoffMs(pauses, ++failures)
        },
        failed: () => pauses.firstMs, // `used` is the fallback; the status shows whether the node answers
      },
    ],
  }
}
