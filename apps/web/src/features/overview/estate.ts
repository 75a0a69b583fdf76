import type { LiveReader } from '../../live/store.ts'
import { alertLevels } from '../../parts/alerts/alert-levels.ts'
import { nodesWithFaults } from '../../parts/alerts/nodes-with-faults.ts'
import { tallyGuests, tallyKinds } from './guest-tally.ts'
import { datastoresOf, describeNode, describeServer, rowTrouble } from '../../parts/node-summary/rows.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'

/** Key figures of the estate. Nodes are the rows of their table, including backup servers. */
export interface Estate {
  nodes: number
  running: number
  stopped: number
  unreachable: Machines
  attention: Machines
}

export interface Machines {
  nodes: number
  guests: number
}

export const estateKinds = [...tallyKinds, 'pbs', 'datastores', 'storage', 'physicalDisks'] as const

const noCounts = {}

/** Costs O(nodes + changed guests). */
export function selectEstate(live: LiveReader): Estate {
  const { running, stopped, unreachable, attention } = tallyGuests(live)
  const alerts = alertLevels(live)
  const faulty = nodesWithFaults(live)
  const rows = [
    ...[...live.records('nodes').values()].map((node) => ({
      row: describeNode(node, noCounts),
      broken: faulty.has(nodeKey(node)),
    })),
    ...[...live.records('pbs')].map(([id, server]) => ({
      row: describeServer(server, datastoresOf(live, id), noCounts),
      broken: false,
    })),
  ]
  const troubles = rows.map(({ row, broken }) => rowTrouble(row, { alert: alerts.get(row.wireId), broken }))
  return {
    nodes: rows.length,
    running,
    stopped,
    unreachable: {
      nodes: troubles.filter((trouble) => trouble === 'unreachable').length,
      guests: unreachable,
    },
    attention: { nodes: troubles.filter(Boolean).length, guests: attention },
  }
}
