import type { ConnectionCalls, NodeTest } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster, Observation } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AdaptiveBounds } from '../polling/adaptive.ts'

/** How a source is to be asked, as the settings have it. */
export interface Pace {
  /** between two looks at a source that is one machine */
  hostMs: number
  /** for a whole call, from the question to the last byte of the answer */
  timeoutMs: number
  /** between two looks at backups; absent: they are not read */
  backupsMs?: number
  /** nodes are not asked about ZFS pools */
  withoutZfs?: boolean
  /** absent: a steady rhythm */
  adaptive?: AdaptiveBounds
}

/** How often backups and what belongs to them are asked for: as the settings say, and no more often than that. */
export const backupsEvery = (least: number, { backupsMs = 0 }: Pick<Pace, 'backupsMs'>): number =>
  Math.max(least, backupsMs)

/** A loop ends its run a little after the calls in it must have ended. */
export const deadlineFor = ({ timeoutMs }: Pick<Pace, 'timeoutMs'>): number =>
  Math.max(25_000, timeoutMs + 5_000)

export const usualPace: Pace = { hostMs: 30_000, timeoutMs: 60_000, backupsMs: 90_000 }

export interface CollectorEdges {
  clock: Clock
  log: Logger
  /** until it asks for the first time, so that not all sources are asked at the same moments */
  firstAfterMs?: number
  /** Done when it is shown. The next one may come earlier: it is shown behind this one. */
  observe: (observation: Observation) => void | Promise<void>
  /** what the settings say now; the usual when absent */
  pace?: () => Pace
  /** shared by all sources: how many are being asked right now */
  load?: { underWay: number }
  /** membership learned while polling, to be remembered with the connection */
  learned: (cluster: LearnedCluster) => void
}

/** Which of a product's memory figures was taken, and whether page cache is known not to be counted. */
export interface MemoryFact {
  instance: string
  node: string
  /** of a guest */
  vmid?: number
  source: string
  trusted: boolean
  used: number
  total: number
  /** epoch ms */
  at?: number
}

export interface RunningCollector {
  /** Another name or other flags, for the same host and account: nothing that was learned is lost. */
  apply(change: Pick<Connection, 'name' | 'flags'>): void
  /** Polls everything as soon as the budget allows it. */
  refresh(): void
  /** API calls of the last minute. */
  calls(): ConnectionCalls
  /** Since start; durations are seconds of the newest call, by name. */
  totals(): {
    calls: number
    failed: number
    /** of all calls together */
    callSeconds: number
    cycles: number
    lastCycleSeconds: number
    /** details of guests that were at hand when they were listed, and those that had to be asked for */
    cacheHits: number
    cacheMisses: number
    durations: Record<string, number>
  }
  memory?(): MemoryFact[]
  /** Resolves when no call is under way and none will be made. */
  stop(): Promise<void>
}

export interface TestEdges extends Pick<CollectorEdges, 'clock' | 'log'> {
  /** The result is not needed any more. */
  signal?: AbortSignal
}

export interface Collector {
  start(connection: Connection, edges: CollectorEdges): RunningCollector
  /** Never throws: a failure is a result. */
  test(connection: Connection, edges: TestEdges): Promise<NodeTest>
}
