import type { Reading } from '@pulse/contract'
import type { Observation } from '@pulse/domain'
import type { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import type { MemberRun, PartRun as StartedPart } from '../../polling/part-runner.ts'
import type { Limits } from '../proxmox/call.ts'
import type { Part as SourcePart, PartLoop as SourceLoop } from '../part.ts'
import type { ClusterContext, Wake } from './context.ts'
import type { Answer } from './gateway.ts'
import type { GuestFacts } from './guest-facts.ts'
import type { MapContext } from './map.ts'
import type { Listing } from './resources.ts'

export type Part = SourcePart<ClusterContext, PartRun>

export interface PartRun extends StartedPart<PartLoop> {
  /** what one node is asked; called for each that is listed */
  node?(node: WatchedNode, ask: AskNode): NodeRun
  /** What the cluster's listing named. */
  listed?(listing: Listing): void
  /** All it knows, by the kinds it publishes. What did not change keeps its identity, records and maps alike. */
  records?(context: MapContext, now: number): Observation['records']
  /** The long part of `records`, in steps of some hundred at most; others have their turn in between. */
  map?(context: MapContext, now: number): Iterator<unknown, void, undefined>
  /** How far its first look at everything is; nothing once that is over. */
  reading?(): Reading | undefined
  /** A node or a guest left for good: what is held about it may go. */
  forget?(left: { node: string } | { vmid: number }): void
}

export interface NodeRun extends MemberRun<PartLoop> {
  /** The guests that run there now, after every listing. */
  guests?(running: readonly GuestFacts[]): void
}

/** A loop of a cluster's part: what ends its pauses, and what it pays with. */
export interface PartLoop extends SourceLoop {
  /** absent: when what could not be reached is back */
  wakes?: readonly Wake[]
  /** A slow look at a node: no part of the budget by the minute, and bounded by how many of all parts are under way. */
  isSlow?: true
  /** Takes its calls from the budget: 0, or the milliseconds to wait. Absent: one from its part's share. */
  pay?: () => number
}

export interface WatchedNode {
  readonly name: string
  /** by which the first calls to the nodes are spread */
  readonly index: number
  readonly breaker: CircuitBreaker
  /** when anything came back from it, by the monotonic clock */
  answeredAt: number
}

export type AskNode = (path: string, signal: AbortSignal, limits?: Limits) => Promise<Answer>
