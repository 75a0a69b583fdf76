import type { FailedTask } from '@pulse/contract'
import type { PbsGarbage, PbsJob, PbsNodeStatus } from './schema.ts'
import { DatastoreBook } from './datastores.ts'
import { SnapshotBook } from './snapshots.ts'

export type JobKind = 'sync' | 'verify' | 'prune'

/** What the parts of one backup server know, where one needs what another was told. */
export interface PbsBook {
  status: { figures: PbsNodeStatus; at: number } | undefined
  /** what the account may not see of the server itself */
  withheld: string | undefined
  jobs: Map<JobKind, readonly PbsJob[]>
  /** by datastore */
  garbage: ReadonlyMap<string, PbsGarbage>
  failedTasks: readonly FailedTask[]
  datastores: DatastoreBook
  snapshots: SnapshotBook
}

export const createBook = (): PbsBook => ({
  status: undefined,
  withheld: undefined,
  jobs: new Map(),
  garbage: new Map(),
  failedTasks: [],
  datastores: new DatastoreBook(),
  snapshots: new SnapshotBook(),
})
