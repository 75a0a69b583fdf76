import * as z from 'zod/mini'
import { Bytes, ConnectionHealth, EpochMs, fromSource } from './common.ts'
import { Forecast } from './forecast.ts'

const job = {
  id: z.string(),
  store: z.string(),
  /** result of the last run (ok, warning or failed), running, disabled, or unknown before the first */
  status: z.string(),
  nextRun: z.optional(z.string()),
  /** error of the last run */
  error: z.optional(z.string()),
  /** in the server's notation */
  schedule: z.optional(z.string()),
  namespace: z.optional(z.string()),
}
export const PbsJobs = z.object({
  backupJobs: z.array(
    z.object({ ...job, type: z.string(), vmid: z.optional(z.string()), lastBackup: z.optional(z.string()) }),
  ),
  syncJobs: z.array(
    z.object({
      ...job,
      /** absent: another datastore of the same server */
      remote: z.optional(z.string()),
      remoteStore: z.optional(z.string()),
      direction: z.optional(z.string()),
      lastSync: z.optional(z.string()),
    }),
  ),
  verifyJobs: z.array(z.object({ ...job, lastVerify: z.optional(z.string()) })),
  pruneJobs: z.array(z.object({ ...job, lastPrune: z.optional(z.string()) })),
  garbageJobs: z.array(
    z.object({
      ...job,
      lastGarbage: z.optional(z.string()),
      removedBytes: z.optional(Bytes),
      pendingBytes: z.optional(Bytes),
      durationSeconds: z.optional(z.number()),
    }),
  ),
})
export type PbsJobs = z.infer<typeof PbsJobs>

/**
 * Failed tasks of the last days, newest first. Excludes failures that a job already reports for its last run.
 */
export const FailedTask = z.object({
  /** UPID */
  id: z.string(),
  /** the server's type: backup, verificationjob, syncjob, … */
  type: z.string(),
  store: z.optional(z.string()),
  /** its object, in the server's notation */
  subject: z.optional(z.string()),
  startTime: z.string(),
  endTime: z.optional(z.string()),
  error: z.string(),
})
export type FailedTask = z.infer<typeof FailedTask>

/** A Proxmox Backup Server. Its datastores are separate records internally, and nested on the plain wire. */
export const PbsServer = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  version: z.string(),
  status: z.string(),
  /** the four figures are absent while unknown, and 0 on the plain wire */
  cpu: z.optional(z.number()),
  /** percent 0-100 */
  memory: z.optional(z.number()),
  memoryUsed: z.optional(Bytes),
  memoryTotal: z.optional(Bytes),
  startedAt: z.optional(EpochMs),
  /** data that the account may not read */
  withheld: z.optional(z.string()),
  ...PbsJobs.shape,
  failedTasks: z.array(FailedTask),
  connectionHealth: ConnectionHealth,
  ...fromSource,
})
export type PbsServer = z.infer<typeof PbsServer>

export const BackupNamespace = z.object({
  path: z.string(),
  parent: z.optional(z.string()),
  depth: z.number(),
  /** number of backups; absent until they were read */
  backups: z.optional(z.number()),
  /** why reading its backups failed, and since when they are stale */
  error: z.optional(z.string()),
  staleSince: z.optional(EpochMs),
})
export type BackupNamespace = z.infer<typeof BackupNamespace>

export const Datastore = z.object({
  /** id of the server it belongs to */
  server: z.string(),
  name: z.string(),
  /** the four figures are absent while unknown, and 0 on the plain wire */
  total: z.optional(Bytes),
  used: z.optional(Bytes),
  free: z.optional(Bytes),
  usage: z.optional(z.number()),
  /** available, or why not: error, unmounted, maintenance, denied */
  status: z.string(),
  error: z.optional(z.string()),
  comment: z.optional(z.string()),
  namespaces: z.optional(z.array(BackupNamespace)),
  deduplicationFactor: z.optional(z.number()),
  /** the server's own estimate when it will be full; absent when it does not fill up */
  fullAt: z.optional(EpochMs),
  /** when it will be full by its history; absent until that was read */
  forecast: z.optional(Forecast),
  ...fromSource,
})
export type Datastore = z.infer<typeof Datastore>
