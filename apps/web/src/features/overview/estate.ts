import type { LiveReader } from '../../live/store.ts'
import { alertLevels } from '../../parts/alert-levels.ts'
import { tallyGuests, tallyKinds } from '../../parts/guest-tally.ts'
import { datastoresOf, describeNode, describeServer, rowTrouble } from '../../parts/node-summary/rows.ts'

/** The estate in a few figures. Nodes are the lines of their table, backup servers among them. */
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

export const estateKinds = [...tallyKinds, 'pbs', 'datastores'] as const

const noCounts = {}

/** Costs the nodes there are and the guests that changed. */
export function selectEstate(live: LiveReader): Estate {
  const { running, stopped, unreachable, attention } = tallyGuests(live)
  const alerts = alertLevels(live)
  const rows = [
    ...[...live.records('nodes').values()].map((node) => describeNode(node, noCounts)),
    ...[...live.records('pbs')].map(([id, server]) =>
      describeServer(server, datastoresOf(live, id), noCounts),
    ),
  ]
  const troubles = rows.map((row) => rowTrouble(row, alerts.get(row.wireId)))
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
