import type { Diagnostics } from '@pulse/contract'
import type * as z from 'zod/mini'
import type { Need } from './auth/gate.ts'
import type { Principal } from './auth/principal.ts'
import type { TransferPart } from './export-part.ts'
import type { Route } from './http/route.ts'
import type { Metric } from './metric.ts'
import type { RowCache } from './row-cache.ts'

/** Lists with the same name in several blocks are joined. */
export type DiagnosticsBlock = Partial<Diagnostics>

/**
 * One family of features of the server. One function makes each area and receives its dependencies as
 * arguments. The list of areas has every area after its dependencies: areas start in this order and stop in
 * the reverse order.
 */
export interface Area {
  /** for the log */
  name: string
  routes?: readonly Route[]
  /** its parts of an export */
  exportParts?: readonly TransferPart[]
  /** the rows that it caches */
  caches?: readonly RowCache[]
  /** the socket messages that it accepts from clients */
  messages?: readonly SocketMessage[]
  /** its part of a diagnostics run: a block, errors and notes */
  diagnose?: () => DiagnosticsBlock | Promise<DiagnosticsBlock>
  /** its metrics for Prometheus */
  metrics?: readonly Metric[]
  /**
   * Only the process that leads can answer its calls: what they ask for is in the memory of `lead`. Other calls that
   * change something are answered there, too.
   */
  isLed?: boolean
  start?: () => void | Promise<void>
  /**
   * Begins what one process does for all: after the start, or when this process becomes the one that leads. It leads
   * until it stops.
   */
  lead?: () => void | Promise<void>
  /** Also called for an area that was never started. */
  stop?: () => void | Promise<void>
}

export const routesOf = (areas: readonly Area[]): Route[] =>
  areas.flatMap(({ routes = [], isLed = false }) => routes.map((route) => ({ isLed, ...route })))
export const messagesOf = (areas: readonly Area[]) => areas.flatMap(({ messages = [] }) => messages)
export const metricsOf = (areas: readonly Area[]) => areas.flatMap(({ metrics = [] }) => metrics)
export const cachesOf = (areas: readonly Area[]) => areas.flatMap(({ caches = [] }) => caches)
export const exportPartsOf = (areas: readonly Area[]) => areas.flatMap(({ exportParts = [] }) => exportParts)

/** A socket message from a client to an area. The hub itself answers the messages of the contract. */
export interface SocketMessage {
  /** the right that the sender needs */
  need: Need
  /** an object with a distinct `type` */
  schema: z.ZodMiniType
  take(message: unknown, from: Principal): void
}

export const socketMessage = <S extends z.ZodMiniType>(definition: {
  need: Need
  schema: S
  take(message: z.output<S>, from: Principal): void
}): SocketMessage => ({ ...definition, take: definition.take as SocketMessage['take'] })
