import { ClientMessage } from '@pulse/contract'
import type { Need } from '../auth/gate.ts'
import type { Principal } from '../auth/principal.ts'
import type { SocketMessage } from '../socket-message.ts'
import { messageNeeds } from './needs.ts'

/** A message that was understood: one of the hub, or one that an area takes. */
export type Understood =
  { need: Need; own: ClientMessage } | { need: Need; own?: undefined; take: (from: Principal) => void }

/** undefined for unknown messages. */
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
