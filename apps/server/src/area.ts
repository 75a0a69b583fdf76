import type { Diagnostics } from '@pulse/contract'
import type * as z from 'zod/mini'
import type { Need } from './auth/gate.ts'
import type { Principal } from './auth/principal.ts'
import type { TransferPart } from './export-part.ts'
import type { Route } from './http/route.ts'
import type { Metric } from './metric.ts'
import type { RowCache } from './row-cache.ts'

/** Lists of one name in several blocks become one. */
export type DiagnosticsBlock = Partial<Diagnostics>

/**
 * One family of features, as the server sees it. Each is made by one function that gets what it depends on as arguments,
 * and stands in one list, behind everything it needs: that is the order of the starts, and the reverse that of the ends.
 */
export interface Area {
  /** for the log */
  name: string
  routes?: readonly Route[]
  /** what of it an export carries */
  exportParts?: readonly TransferPart[]
  /** the rows that it holds in memory */
  caches?: readonly RowCache[]
  /** what it takes from clients of the socket */
  messages?: readonly SocketMessage[]
  /** what it adds to a run of the diagnostics: a block of its own, errors and notes */
  diagnose?: () => DiagnosticsBlock | Promise<DiagnosticsBlock>
  /** what of it Prometheus may read */
  metrics?: readonly Metric[]
  start?: () => void | Promise<void>
  /** Also called when it was never started. */
  stop?: () => void | Promise<void>
}

export const routesOf = (areas: readonly Area[]) => areas.flatMap(({ routes = [] }) => routes)
export const messagesOf = (areas: readonly Area[]) => areas.flatMap(({ messages = [] }) => messages)
export const metricsOf = (areas: readonly Area[]) => areas.flatMap(({ metrics = [] }) => metrics)
export const cachesOf = (areas: readonly Area[]) => areas.flatMap(({ caches = [] }) => caches)
export const exportPartsOf = (areas: readonly Area[]) => areas.flatMap(({ exportParts = [] }) => exportParts)

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
