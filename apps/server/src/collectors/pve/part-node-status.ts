import type { SourceError } from '../source-error.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { PveNodeStatus, readOne } from './schema.ts'

const intervalMs = 30_000
/** Saves the budget for the lists. */
const unlistedIntervalMs = 60_000

/** The status of each node. Missing answers also show that a node is unreachable. */
export const nodeStatus: Part = {
  name: 'node status',
  calls: { node: 2 },
  callsUnlisted: { node: 1 },
  start: (context) => ({ node: (node, ask) => watch(context, node, ask) }),
}

function watch(context: ClusterContext, node: WatchedNode, ask: AskNode): NodeRun {
  const { nodes } = context
  const { name, breaker } = node
  const setUnreachable = (silent: boolean, reason = '') => {
    if ((nodes.get(name)?.silent ?? false) === silent) return
    nodes.setUnreachable(name, silent)
    if (silent) context.outages.lost(`node ${name}`, reason)
    else context.outages.found(`node ${name}`)
  }
  return {
    loops: [
      {
        name: 'status',
        intervalMs: () => (context.listsByNode() ? unlistedIntervalMs : intervalMs),
        isProbe: true,
        async run(signal) {
          const { data, at } = await ask('/status', signal)
          nodes.learnStatus(name, readOne(PveNodeStatus, data, `/nodes/${name}/status`), at)
          breaker.succeed()
          setUnreachable(false)
          return at
        },
        failed(error, failures, report) {
          if (isSilence(error)) breaker.fail()
          else breaker.succeed() // the node withholds its status, which does not concern its guests
          if (error.isRefusal) {
            setUnreachable(false)
            nodes.withhold(name, withheldBy(name, error))
          } else if (failures >= 3) setUnreachable(true, error.message)
          return report()
        },
      },
    ],
    async stop() {
      context.outages.found(`node ${name}`)
    },
  }
}

/** No answer, or no host at the address: a failure of the node, not of the call. */
const isSilence = ({ code, isPathFault }: SourceError) =>
  isPathFault || code === 'timeout' || code === 'node_offline' || code === 'rate_limited'

const withheldBy = (name: string, { code }: SourceError) =>
  code === 'forbidden'
    ? `Sys.Audit is missing on /nodes/${name}: its processor, memory, disk and versions stay unknown`
    : `${name} does not know /nodes/${name}/status: its memory, disk and versions are not exact`
