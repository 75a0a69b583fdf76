import type * as z from 'zod/mini'
import type { Need } from './auth/gate.ts'
import type { Principal } from './auth/principal.ts'

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
