import type { Reading } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import type { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import type { MemberRun, PartRun as StartedPart } from '../../polling/part.ts'
import type { Limits } from '../proxmox/call.ts'
import type { Part as SourcePart, PartLoop as SourceLoop } from '../part.ts'
import type { ClusterContext, Wake } from './context.ts'
import type { Answer } from './gateway.ts'
import type { GuestFacts } from './guest-facts.ts'
import type { MapContext } from './map.ts'
import type { Listing } from './resources.ts'

export type Part = SourcePart<ClusterContext, PartRun>

export interface PartRun extends StartedPart<PartLoop> {
  /** the queries of one node; called for each listed node */
  node?(node: WatchedNode, ask: AskNode): NodeRun
  /** Gets the items of the cluster's listing. */
  listed?(listing: Listing): void
  /** All its records, by the kinds that it publishes. Unchanged records and maps keep their identity. */
  records?(context: MapContext, now: number): Observation['records']
  /** The long part of `records`, in steps of at most some hundred records. */
  map?(context: MapContext, now: number): Iterator<unknown, void, undefined>
  /** The progress of its first read of everything; undefined after that. */
  reading?(): Reading | undefined
  /** A node or guest has left permanently, so its data can be dropped. */
  forget?(left: { node: string } | { vmid: number }): void
}

export interface NodeRun extends MemberRun<PartLoop> {
  /** Gets the guests that run there, after every listing. */
  guests?(running: readonly GuestFacts[]): void
}

/** A loop of a cluster's part, with its wake events and the budget of its calls. */
export interface PartLoop extends SourceLoop {
  /** absent: when an unreachable address or host is back */
  wakes?: readonly Wake[]
  /** A slow look at a node. It is outside the budget per minute. Its concurrency is limited for all parts. */
  isSlow?: true
  /** Takes calls from the budget. Returns 0 or the milliseconds to wait. Absent: one of its part's share. */
  pay?: () => number
}

export interface WatchedNode {
  readonly name: string
  /** spreads the first calls to the nodes */
  readonly index: number
  readonly breaker: CircuitBreaker
  /** the last answer of any kind from it, by the monotonic clock */
  answeredAt: number
}

export type AskNode = (path: string, signal: AbortSignal, limits?: Limits) => Promise<Answer>
