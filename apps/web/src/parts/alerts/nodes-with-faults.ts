import { perVersion, sameSet } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { nodeKey } from '../nodes/nodes.ts'
import { alertLevels } from './alert-levels.ts'
import { diskTrouble, storageTrouble, type Trouble } from './attention.ts'

/** By `nodeKey`: nodes with their own storage or disk that is broken or has an alert. */
export const nodesWithFaults = perVersion(
  ['storage', 'physicalDisks', 'activeAlerts'],
  selectNodesWithFaults,
  sameSet,
)

function selectNodesWithFaults(live: LiveReader): ReadonlySet<string> {
  const alerts = alertLevels(live)
  const keys = new Set<string>()
  for (const storage of live.records('storage').values()) {
    // a shared storage does not belong to one node
    if (!storage.shared && concernsNode(storageTrouble(storage, alerts.get(storage.id)))) {
      keys.add(nodeKey(storage))
    }
  }
  for (const disk of live.records('physicalDisks').values()) {
    if (concernsNode(diskTrouble(disk, alerts.get(disk.id)))) keys.add(nodeKey(disk))
  }
  return keys
}

/**
 * Stale figures belong to the node's own state. A figure around its threshold would make the node's line
 * move.
 */
const concernsNode = (trouble: Trouble | undefined): boolean => trouble === 'fault' || trouble === 'alert'
