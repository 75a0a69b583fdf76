import type { monitorFlags } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Pace } from '../source.ts'
import type { SourceHealth } from '../source-health.ts'
import type { Tally } from '../proxmox/tally.ts'
import type { BackupCache } from './backup-cache.ts'
import type { BackupRuns } from './backup-runs.ts'
import type { CallBudget } from '../../polling/call-budget.ts'
import type { Cluster } from './cluster.ts'
import type { Endpoints } from './endpoints.ts'
import type { Gateway } from './gateway.ts'
import type { GuestCache } from './guests.ts'
import type { NodeCache } from './nodes.ts'
import type { Outages } from './outages.ts'
import type { Listing } from './resources.ts'
import type { RightNeed } from './rights.ts'
import type { SnapshotCache } from './snapshots.ts'
import type { StorageVisibility } from './visibility.ts'
import type { StorageCache } from './storages.ts'

export type MonitorFlags = { -readonly [K in keyof (typeof monitorFlags)['pve']]: boolean }

/**
 * What may end the pause of a loop: an address that was lost is there again, or the host as such; the settings changed;
 * the listing fails, so that others stand in; a member shows a certificate that is not known; what the account may see
 * could have changed; it has, and what was refused may be allowed.
 */
export type Wake = 'found' | 'back' | 'changed' | 'unlisted' | 'untrusted' | 'rights' | 'allowed'

/** What the parts of one connection share: whom to ask, what it may cost, and where the answers go. */
export interface ClusterContext {
  clock: Clock
  log: Logger
  budget: CallBudget
  /** tells the log what cannot be reached */
  outages: Outages
  gateway: Gateway
  /** nothing is asked before; monotonic */
  startAt: number
  /** how to ask, as the settings have it now */
  pace: () => Pace
  load: { underWay: number }
  endpoints: Endpoints
  cluster: Cluster
  health: SourceHealth
  tally: Tally
  nodes: NodeCache
  guests: GuestCache
  storages: StorageCache
  visibility: StorageVisibility
  backups: BackupCache
  snapshots: SnapshotCache
  /** of vzdump, and what they must have changed */
  runs: BackupRuns
  /** what the enabled parts must be allowed */
  rights: () => readonly RightNeed[]
  /** The cluster's listing keeps failing while nodes answer: each node lists its own guests. */
  listsByNode: () => boolean
  /** The account was refused: nothing else is asked until it is accepted again. */
  isRefused: () => boolean
  /** Nodes and guests may have come and gone; `listing` tells what else the cluster named. */
  follow: (listing?: Listing) => void
  wake: (why: Wake) => void
  /** Shows what is known within that time. */
  publish: (withinMs: number) => void
}

/** The question without which nothing is known. */
export const LISTING = 'listing'
/** The question that knows what the account may not see. */
export const RIGHTS = 'rights'

/** Enough for several answers that arrive together to be shown together. */
export const SOON_MS = 50
/**
 * A single guest's reading rides along with the next listing, because every step costs every open page.
 * What changes by the second comes with the listing itself.
 */
export const PROBE_MS = 10_000
/** Between the calls to one node and those to the next: together they make one step for the browser. */
export const STAGGER_MS = 10
