import { ClientMessage } from '@pulse/contract'
import type * as z from 'zod/mini'
import type { Need } from '../auth/gate.ts'
import type { Principal } from '../auth/principal.ts'
import { messageNeeds } from './needs.ts'

/** What a client of the socket may say to an area. The hub itself answers the messages of the contract. */
export interface SocketMessage {
  /** who may send it */
  need: Need
  /** an object whose `type` tells it apart */
  schema: z.ZodMiniType
  take(message: unknown, from: Principal): void
}

export const socketMessage = <S extends z.ZodMiniType>(definition: {
  need: Need
  schema: S
  take(message: z.output<S>, from: Principal): void
}): SocketMessage => ({ ...definition, take: definition.take as SocketMessage['take'] })

/** A message that was understood: one of the hub, or one that an area takes. */
export type Understood =
  { need: Need; own: ClientMessage } | { need: Need; own?: undefined; take: (from: Principal) => void }

/** undefined for whatever nobody knows. */
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
