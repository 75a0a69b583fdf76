import * as z from 'zod/mini'
import { Bytes, ConnectionHealth, EpochMs, fromSource } from './common.ts'

const job = {
  id: z.string(),
  store: z.string(),
  status: z.string(),
  nextRun: z.optional(z.string()),
  error: z.optional(z.string()),
}
export const PbsJobs = z.object({
  backupJobs: z.array(
    z.object({ ...job, type: z.string(), vmid: z.optional(z.string()), lastBackup: z.optional(z.string()) }),
  ),
  syncJobs: z.array(z.object({ ...job, remote: z.optional(z.string()), lastSync: z.optional(z.string()) })),
  verifyJobs: z.array(z.object({ ...job, lastVerify: z.optional(z.string()) })),
  pruneJobs: z.array(z.object({ ...job, lastPrune: z.optional(z.string()) })),
  garbageJobs: z.array(
    z.object({ ...job, lastGarbage: z.optional(z.string()), removedBytes: z.optional(Bytes) }),
  ),
})

/** A Proxmox Backup Server. Its datastores are records of their own inside, nested on the plain wire. */
export const PbsServer = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  version: z.string(),
  status: z.string(),
  cpu: z.number(),
  /** percent 0-100 */
  memory: z.number(),
  memoryUsed: Bytes,
  memoryTotal: Bytes,
  startedAt: z.optional(EpochMs),
  ...PbsJobs.shape,
  connectionHealth: ConnectionHealth,
  ...fromSource,
})
export type PbsServer = z.infer<typeof PbsServer>

export const Datastore = z.object({
  /** id of the server it belongs to */
  server: z.string(),
  name: z.string(),
  total: Bytes,
  used: Bytes,
  free: Bytes,
  usage: z.number(),
  status: z.string(),
  error: z.optional(z.string()),
  namespaces: z.optional(
    z.array(z.object({ path: z.string(), parent: z.optional(z.string()), depth: z.number() })),
  ),
  deduplicationFactor: z.optional(z.number()),
  ...fromSource,
})
export type Datastore = z.infer<typeof Datastore>
