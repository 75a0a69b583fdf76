import type { FailedTask } from '@pulse/contract'
import type { PbsGarbage, PbsJob, PbsNodeStatus } from './schema.ts'
import { DatastoreCache } from './datastores.ts'
import { SnapshotCache } from './snapshots.ts'

export type JobKind = 'sync' | 'verify' | 'prune'

/** Data shared by the parts of one backup server. */
export interface PbsCache {
  status: { figures: PbsNodeStatus; at: number } | undefined
  /** the part of the server's own data that the account may not see */
  withheld: string | undefined
  jobs: Map<JobKind, readonly PbsJob[]>
  /** by datastore */
  garbage: ReadonlyMap<string, PbsGarbage>
  failedTasks: readonly FailedTask[]
  datastores: DatastoreCache
  snapshots: SnapshotCache
}

export const createCache = (): PbsCache => ({
  status: undefined,
  withheld: undefined,
  jobs: new Map(),
  garbage: new Map(),
  failedTasks: [],
  datastores: new DatastoreCache(),
  snapshots: new SnapshotCache(),
})
