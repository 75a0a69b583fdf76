import { ClientMessage, type LiveEvent } from '@pulse/contract'
import type { Need } from '../auth/gate.ts'
import type { Principal } from '../auth/principal.ts'
import type { SocketMessage } from '../area.ts'

export const reader: Need = { access: 'user', scope: 'monitoring:read' }
/** Rights to open the socket and to send each kind of message, in the form used for HTTP routes. */
export const socketNeed: Need = { ...reader }
export const messageNeeds: Record<ClientMessage['type'], Need> = {
  ping: { ...reader },
  pong: { ...reader },
  requestData: { ...reader },
  subscribe: { ...reader },
}

const administrator: Need = { access: 'admin', scope: 'settings:read' }
/** Events about the network that need more than the right to read. Every client gets all other events. */
export const eventNeeds: Partial<Record<LiveEvent['type'], Need>> = {
  node_auto_registered: administrator,
  discovery_started: administrator,
  discovery_progress: administrator,
  discovery_server_found: administrator,
  discovery_update: administrator,
  discovery_complete: administrator,
}

/** A valid message: one of the hub's own, or one of an area. */
export type Understood =
  { need: Need; own: ClientMessage } | { need: Need; own?: undefined; take: (from: Principal) => void }

/** Returns undefined for unknown messages. */
export function understand(text: string, areas: readonly SocketMessage[]): Understood | undefined {
  const value = parseJson(text)
  const own = ClientMessage.safeParse(value)
  if (own.success) return { need: messageNeeds[own.data.type], own: own.data }
  for (const { need, schema, take } of areas) {
    const message = schema.safeParse(value)
    if (message.success) return { need, take: (from) => take(message.data, from) }
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
