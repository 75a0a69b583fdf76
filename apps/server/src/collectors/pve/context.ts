import type { Need } from '../part.ts'
import type { Source } from '../watch-source.ts'
import type { BackupCache } from './backup-cache.ts'
import type { BackupRuns } from './backup-runs.ts'
import type { Cluster } from './cluster.ts'
import type { Endpoints } from './endpoints.ts'
import type { Gateway } from './gateway.ts'
import type { GuestCache } from './guests.ts'
import type { NodeCache } from './nodes.ts'
import type { Outages } from './outages.ts'
import type { Listing } from './resources.ts'
import type { SnapshotCache } from './snapshots.ts'
import type { StorageVisibility } from './visibility.ts'
import type { StorageCache } from './storages.ts'

/**
 * What may end the pause of a loop: an address that was lost is there again, or the host as such; the settings changed;
 * the listing fails, so that others stand in; a member shows a certificate that is not known; what the account may see
 * could have changed; it has, and what was refused may be allowed.
 */
export type Wake = 'found' | 'back' | 'changed' | 'unlisted' | 'untrusted' | 'rights' | 'allowed'

/** What the parts of one cluster share: whom to ask, what it may cost, and where the answers go. */
export interface ClusterContext extends Source {
  /** tells the log what cannot be reached */
  outages: Outages
  gateway: Gateway
  endpoints: Endpoints
  cluster: Cluster
  nodes: NodeCache
  guests: GuestCache
  storages: StorageCache
  visibility: StorageVisibility
  backups: BackupCache
  snapshots: SnapshotCache
  /** of vzdump, and what they must have changed */
  runs: BackupRuns
  /** what the enabled parts must be allowed */
  rights: () => readonly Need[]
  /** The cluster's listing keeps failing while nodes answer: each node lists its own guests. */
  listsByNode: () => boolean
  /** The account was refused: nothing else is asked until it is accepted again. */
  isRefused: () => boolean
  /** Nodes and guests may have come and gone; `listing` tells what else the cluster named. */
  follow: (listing?: Listing) => void
  wake: (why: Wake) => void
  /** One question failed, alone. Returns the pause before it is asked again, if not the usual one. */
  failed: (question: string, cause: unknown) => number | undefined
  /** Shows what is known within that time. */
  publish: (withinMs: number) => void
}

/** The question without which nothing is known. */
export const LISTING = 'listing'
/** Between two listings. */
export const LISTING_MS = 10_000
/** The question that knows what the account may not see. */
export const RIGHTS = 'rights'

/**
 * A single guest's reading rides along with the next listing, because every step costs every open page.
 * What changes by the second comes with the listing itself.
 */
export const PROBE_MS = 10_000
