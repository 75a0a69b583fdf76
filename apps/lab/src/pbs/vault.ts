import type { Backup } from '../protection/backups.ts'
import type { Job } from './drawn-jobs.ts'

/** What one backup server keeps and does. */
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
  /** A parent stands before its children, the root first. */
  namespaces: Namespace[]
  /** Nothing was ever written to it, so its garbage was never collected either. */
  unused: boolean
  pins: DatastorePins
}

export interface DatastorePins {
  /** Why it cannot be read. */
  error?: string
  usedBytes?: number
  totalBytes?: number
}

export interface Namespace {
  /** Empty for the root. */
  path: string
  comment?: string
  groups(nowMs: number): Iterable<Group>
  /** What was begun there last, and came to nothing. */
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
