import * as z from 'zod/mini'
import { Bytes, ConnectionHealth, EpochMs, fromSource } from './common.ts'

const job = {
  id: z.string(),
  store: z.string(),
  /** of its last run: ok, warning or failed; running; disabled; unknown before the first */
  status: z.string(),
  nextRun: z.optional(z.string()),
  /** what its last run ended with, if not well */
  error: z.optional(z.string()),
  /** as the server writes it */
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

/** Of the last days, newest first; without those of which a job says that its last run failed so. */
export const FailedTask = z.object({
  /** the UPID */
  id: z.string(),
  /** the server's word: backup, verificationjob, syncjob, … */
  type: z.string(),
  store: z.optional(z.string()),
  /** what it was about, in the server's notation */
  subject: z.optional(z.string()),
  startTime: z.string(),
  endTime: z.optional(z.string()),
  error: z.string(),
})
export type FailedTask = z.infer<typeof FailedTask>

/** A Proxmox Backup Server. Its datastores are records of their own inside, nested on the plain wire. */
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
  /** what the account may not see of it */
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
  /** how many backups it holds; absent until they were read */
  backups: z.optional(z.number()),
  /** why its backups could not be read again, and since when they are what they were */
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
  /** available, or what keeps it from being so: error, unmounted, maintenance, denied */
  status: z.string(),
  error: z.optional(z.string()),
  comment: z.optional(z.string()),
  namespaces: z.optional(z.array(BackupNamespace)),
  deduplicationFactor: z.optional(z.number()),
  /** when it will be full if it goes on like this; absent when it does not fill up */
  fullAt: z.optional(EpochMs),
  ...fromSource,
})
export type Datastore = z.infer<typeof Datastore>
