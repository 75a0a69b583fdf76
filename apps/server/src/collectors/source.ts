import type {
  ClusterEndpoint,
  ConnectionCalls,
  MonitorFlag,
  NodeTemperature,
  NodeTest,
  RecordKind,
  RecordOf,
  SourceKind,
  SourceState,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AdaptiveBounds } from '../polling/adaptive.ts'
import type { Secret } from '../secret.ts'

/** A stored connection, opened: what a collector needs to watch one instance. */
export interface Connection {
  /** random and stable; every identity inside the state hangs on it */
  id: string
  kind: SourceKind
  /** the user's name for it, called instance on the wire */
  name: string
  /** https://host:port, no path */
  host: string
  auth:
    { type: 'password'; user: string; password: Secret } | { type: 'token'; tokenId: string; secret: Secret }
  /** SHA-256 of the leaf certificate as lower-case hex without colons */
  fingerprint?: string
  verifySSL: boolean
  flags: Partial<Record<MonitorFlag, boolean>>
  clusterName?: string
  clusterEndpoints?: ClusterEndpoint[]
  /** SHA-256 of each member's certificate by node name, as the verified connection reported them */
  memberFingerprints?: Record<string, string>
}

/** What a cluster says about itself. */
export interface LearnedCluster {
  /** absent for a standalone host, whose endpoints are empty */
  clusterName?: string
  clusterEndpoints: ClusterEndpoint[]
  /** Without them the members of a cluster with a pinned certificate cannot stand in while the first one is down. */
  memberFingerprints: Record<string, string>
}

/** A complete picture of the kinds it names, as far as this source goes: what is not in it is gone. */
export interface Observation {
  source: string
  /** when the newest answer in it arrived, epoch ms */
  at: number
  records: { [K in RecordKind]?: ReadonlyMap<string, RecordOf<K>> }
  state: SourceState
}

/** How a source is to be asked, as the settings have it. */
export interface Pace {
  /** between two looks at a source that is one machine */
  hostMs: number
  /** for a whole call, from the question to the last byte of the answer */
  timeoutMs: number
  /** absent: a steady rhythm */
  adaptive?: AdaptiveBounds
}

/** A loop ends its run a little after the calls in it must have ended. */
export const deadlineFor = ({ timeoutMs }: Pace): number => Math.max(25_000, timeoutMs + 5_000)

export const usualPace: Pace = { hostMs: 30_000, timeoutMs: 60_000 }

export interface CollectorEdges {
  clock: Clock
  log: Logger
  observe: (observation: Observation) => void
  /** what a helper on the node says: no API tells it */
  temperatureOf?: (node: string) => NodeTemperature | undefined
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

export interface Collector {
  start(connection: Connection, edges: CollectorEdges): RunningCollector
  /** Never throws: a failure is a result. */
  test(connection: Connection, edges: Pick<CollectorEdges, 'clock' | 'log'>): Promise<NodeTest>
}
