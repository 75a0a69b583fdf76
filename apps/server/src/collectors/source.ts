import type { ConnectionCalls, NodeTest } from '@pulse/contract'
import type { Clock, Connection, LearnedCluster, Observation } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AdaptiveBounds } from '../polling/adaptive.ts'
import type { PollReport } from './poll-report.ts'

/** Polling intervals and timeouts for a source, from the settings. */
export interface Pace {
  /** between two looks at a source that is a single host */
  hostMs: number
  /** for a whole call, until the last byte of the answer */
  timeoutMs: number
  /** between two looks at backups; absent: they are not read */
  backupsMs?: number
  /** nodes are not queried about ZFS pools */
  withoutZfs?: boolean
  /** absent: a steady interval */
  adaptive?: AdaptiveBounds
}

/** The interval for backups and related data: from the settings, with a minimum. */
export const backupsEvery = (least: number, { backupsMs = 0 }: Pick<Pace, 'backupsMs'>): number =>
  Math.max(least, backupsMs)

/** A run's deadline is slightly later than the timeout of its calls. */
export const deadlineFor = ({ timeoutMs }: Pick<Pace, 'timeoutMs'>): number =>
  Math.max(25_000, timeoutMs + 5_000)

export const usualPace: Pace = { hostMs: 30_000, timeoutMs: 60_000, backupsMs: 90_000 }

export interface CollectorEdges {
  clock: Clock
  log: Logger
  /** the delay of the first poll, so that sources are not all polled at the same time */
  firstAfterMs?: number
  /** Resolves when the observation is visible. The next one may come earlier, and is queued. */
  observe: (observation: Observation) => void | Promise<void>
  /** the current settings; the usual ones when absent */
  pace?: () => Pace
  /** shared by all sources: the number being polled right now */
  load?: { underWay: number }
  /** membership learned while polling, to be stored with the connection */
  learned: (cluster: LearnedCluster) => void
}

/** The chosen memory figure, and whether it is known to exclude page cache. */
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
  /** A new name, site or new flags for the same host and account. All learned data stays. */
  apply(change: Pick<Connection, 'name' | 'site' | 'flags'>): void
  /** Polls everything as soon as the budget allows it. */
  refresh(): void
  /** Whether this process asks the source, instead of another one. Absent: it does. */
  isHere?(): boolean
  /** API calls of the last minute. */
  calls(): ConnectionCalls
  /** Since start. Durations are the seconds of the latest call, by name. */
  totals(): {
    calls: number
    failed: number
    /** of all calls together */
    callSeconds: number
    cycles: number
    lastCycleSeconds: number
    /** guest details that were known at a listing, and those that needed a call */
    cacheHits: number
    cacheMisses: number
    durations: Record<string, number>
  }
  polling(): PollReport
  memory?(): MemoryFact[]
  /** Resolves when no call is under way and none will follow. */
  stop(): Promise<void>
}

export interface TestEdges extends Pick<CollectorEdges, 'clock' | 'log'> {
  /** Aborts when the result is no longer needed. */
  signal?: AbortSignal
}

export interface Collector {
  start(connection: Connection, edges: CollectorEdges): RunningCollector
  /** Never throws: a failure is a result. */
  test(connection: Connection, edges: TestEdges): Promise<NodeTest>
}
