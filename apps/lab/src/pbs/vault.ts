import type { Backup } from '../protection/backups.ts'
import type { Job } from './drawn-jobs.ts'

/** The datastores and jobs of one backup server. */
export interface BackupServer {
  name: string
  major: number
  seed: number
  bootedAtMs: number
  cpus: number
  memBytes: number
  datastores: Datastore[]
  jobs: Job[]
}

export interface Datastore {
  name: string
  comment: string | null
  seed: number
  totalBytes: number
  /** Parents before their children, the root first. */
  namespaces: Namespace[]
  /** No backup was ever written, so no garbage collection ran either. */
  unused: boolean
  pins: DatastorePins
}

export interface DatastorePins {
  /** Why the datastore cannot be read. */
  error?: string
  usedBytes?: number
  totalBytes?: number
}

export interface Namespace {
  /** Empty for the root. */
  path: string
  comment?: string
  groups(nowMs: number): Iterable<Group>
  /** The most recent backups that failed. */
  failures?(nowMs: number): Iterable<Failure>
}

export interface Failure {
  type: BackupType
  id: string
  owner: string
  atSeconds: number
}

export type BackupType = 'vm' | 'ct' | 'host'

export interface Group {
  type: BackupType
  id: string
  owner: string
  seed: number
  /** Newest first. */
  snapshots: Snapshot[]
}

export interface Snapshot {
  backup: Backup
  comment: string | undefined
}
