import type { ClientMessage, LiveEvent } from '@pulse/contract'
import type { Need } from '../auth/gate.ts'

export const reader: Need = { access: 'user', scope: 'monitoring:read' }
/** Who may open the socket, and who may send each kind of message: the same table as for calls. */
export const socketNeed: Need = { ...reader }
export const messageNeeds: Record<ClientMessage['type'], Need> = {
  ping: { ...reader },
  pong: { ...reader },
  requestData: { ...reader },
  subscribe: { ...reader },
}

const administrator: Need = { access: 'admin', scope: 'settings:read' }
/** Events that say more about the network than every reader may know; the others go to everybody. */
export const eventNeeds: Partial<Record<LiveEvent['type'], Need>> = {
  node_auto_registered: administrator,
  discovery_started: administrator,
  discovery_progress: administrator,
  discovery_server_found: administrator,
  discovery_update: administrator,
  discovery_complete: administrator,
}
