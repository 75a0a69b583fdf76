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
 * Events that may end the pause of a loop: a lost address, or the whole host, answers again; the settings
 * changed; the listing fails, so that other parts replace it; a member presents an unknown certificate; the
 * account's rights may have changed; they have, so refused calls may be allowed now.
 */
export type Wake = 'found' | 'back' | 'changed' | 'unlisted' | 'untrusted' | 'rights' | 'allowed'

/** Shared by the parts of one cluster: connections, budget, and the destinations of answers. */
export interface ClusterContext extends Source {
  /** logs unreachable addresses */
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
  /** runs of vzdump, and the lists that they must have changed */
  runs: BackupRuns
  /** the rights that the enabled parts need */
  rights: () => readonly Need[]
  /** The cluster's listing keeps failing while nodes answer, so each node lists its own guests. */
  listsByNode: () => boolean
  /** The account was refused. No other call is made until it is accepted again. */
  isRefused: () => boolean
  /** Nodes and guests may have changed. `listing` has the other items of the cluster's answer. */
  follow: (listing?: Listing) => void
  wake: (why: Wake) => void
  /** A single question failed. Returns the pause before the retry, if not the usual one. */
  failed: (question: string, cause: unknown) => number | undefined
  /** Publishes the current data within that time. */
  publish: (withinMs: number) => void
}

/** The question on which all others depend. */
export const LISTING = 'listing'
/** Between two listings. */
export const LISTING_MS = 10_000
/** The question about missing rights of the account. */
export const RIGHTS = 'rights'

/**
 * The reading of a single guest is published with the next listing, because every update costs every open
 * page. Figures that change every second are in the listing itself.
 */
export const PROBE_MS = 10_000
