import { defaultSshPort, type RegisterNodesReply, type TemperatureNode } from '@pulse/contract'
import type { TemperatureNodeRow } from '../db/schema.ts'
import { fingerprintOf } from './host-keys.ts'
import type { Target } from './targets.ts'
import type { Watch } from './watch.ts'

/** A node for the settings page. A node without a row is switched off. */
export function showNode(
  { address, ...rest }: Target,
  row: TemperatureNodeRow | undefined,
  lockedBy: string | undefined,
  watch: Watch | undefined,
): TemperatureNode {
  const known = {
    ...rest,
    ...(address !== undefined && { address }),
    ...(lockedBy !== undefined && { lockedBy }),
  }
  if (!row) return { ...known, enabled: false, port: defaultSshPort, status: 'off' }
  const on = { ...known, enabled: true, port: row.port }
  if (row.host_key === null) return { ...on, status: 'not_set_up' }
  return {
    ...on,
    ...(watch?.health() ?? { status: 'waiting' as const }),
    hostKeyFingerprint: fingerprintOf(row.host_key),
  }
}

export const registerMessages = {
  ready: 'All nodes are ready: their temperatures can be read.',
  some: 'Some nodes are not ready. Run the setup script on them and check again.',
  none: 'Temperature reading is not set up. Enable it for a node first.',
}

export function verdictOn(
  nodes: RegisterNodesReply['nodes'],
): Pick<RegisterNodesReply, 'success' | 'message'> {
  if (nodes.length === 0) return { success: false, message: registerMessages.none }
  const success = nodes.every((node) => node.ssh_ready)
  return { success, message: success ? registerMessages.ready : registerMessages.some }
}
