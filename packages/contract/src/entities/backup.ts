import * as z from 'zod/mini'
import { Bytes, fromSource } from './common.ts'

const vmidOrName = z.union([z.number(), z.string()])

const dated = {
  /** its date was in the future when it was read, so the real date is unknown */
  future: z.optional(z.boolean()),
}

/** A vzdump run. */
export const BackupTask = z.object({
  id: z.string(),
  node: z.string(),
  type: z.string(),
  /** 0 for a run over several guests */
  vmid: z.number(),
  /** OK, RUNNING, or the exit status text */
  status: z.string(),
  startTime: z.string(),
  endTime: z.optional(z.string()),
  size: z.optional(Bytes),
  error: z.optional(z.string()),
})
export type BackupTask = z.infer<typeof BackupTask>

/** A backup file on a PVE storage. Volumes with content vztmpl or iso are not backups. */
export const StorageBackup = z.object({
  id: z.string(),
  storage: z.string(),
  node: z.string(),
  instance: z.string(),
  type: z.enum(['qemu', 'lxc', 'host', 'unknown']),
  vmid: z.number(),
  time: z.string(),
  /** epoch seconds */
  ctime: z.number(),
  size: Bytes,
  format: z.string(),
  notes: z.optional(z.string()),
  protected: z.boolean(),
  volid: z.string(),
  isPBS: z.boolean(),
  verified: z.boolean(),
  verification: z.optional(z.string()),
  encryption: z.optional(z.string()),
})
export type StorageBackup = z.infer<typeof StorageBackup>

export const GuestSnapshot = z.object({
  id: z.string(),
  name: z.string(),
  node: z.string(),
  instance: z.string(),
  type: z.string(),
  vmid: z.number(),
  time: z.string(),
  description: z.optional(z.string()),
  parent: z.optional(z.string()),
  vmstate: z.boolean(),
})
export type GuestSnapshot = z.infer<typeof GuestSnapshot>

/** One guest's result in a run over several. */
export const GuestOfTask = z.object({ vmid: z.number(), error: z.optional(z.string()) })
export type GuestOfTask = z.infer<typeof GuestOfTask>

/** A PVE guest's or task's contribution. The discriminator names the list of the plain wire. */
export const PveBackup = z.discriminatedUnion('list', [
  z.object({
    list: z.literal('backupTasks'),
    ...BackupTask.shape,
    /** PVE's id of the run; stable across renames */
    upid: z.string(),
    /** for a run over several guests, after its log was read */
    guests: z.optional(z.array(GuestOfTask)),
    ...fromSource,
  }),
  z.object({
    list: z.literal('storageBackups'),
    ...StorageBackup.shape,
    /** connections with clusters that list it as a backup on a storage, if there are several */
    listedBy: z.optional(z.array(z.string())),
    ...dated,
    ...fromSource,
  }),
  z.object({ list: z.literal('guestSnapshots'), ...GuestSnapshot.shape, ...fromSource }),
])
export type PveBackup = z.infer<typeof PveBackup>

export const PbsBackup = z.object({
  id: z.string(),
  instance: z.string(),
  datastore: z.string(),
  namespace: z.string(),
  backupType: z.string(),
  vmid: z.string(),
  backupTime: z.string(),
  size: Bytes,
  protected: z.boolean(),
  verified: z.boolean(),
  /** result of the last verification; absent before the first */
  verification: z.optional(z.enum(['ok', 'failed'])),
  encrypted: z.optional(z.boolean()),
  comment: z.optional(z.string()),
  files: z.optional(z.array(z.string())),
  owner: z.optional(z.string()),
  /** connections with clusters that list it among the backups of a storage */
  listedBy: z.optional(z.array(z.string())),
  ...dated,
  ...fromSource,
})
export type PbsBackup = z.infer<typeof PbsBackup>

export const PmgBackup = z.object({
  id: z.string(),
  instance: z.string(),
  node: z.string(),
  filename: z.string(),
  backupTime: z.string(),
  size: Bytes,
  ...fromSource,
})
export type PmgBackup = z.infer<typeof PmgBackup>

/** One row of the Backups page, of any origin. */
export const Backup = z.object({
  backupType: z.enum(['snapshot', 'local', 'remote']),
  vmid: vmidOrName,
  name: z.string(),
  type: z.enum(['VM', 'CT', 'LXC', 'Host']),
  node: z.string(),
  instance: z.string(),
  /** epoch seconds */
  backupTime: z.number(),
  backupName: z.string(),
  description: z.string(),
  status: z.string(),
  size: z.optional(Bytes),
  storage: z.optional(z.string()),
  datastore: z.optional(z.string()),
  /** default: root */
  namespace: z.optional(z.string()),
  verified: z.optional(z.boolean()),
  protected: z.boolean(),
  encrypted: z.optional(z.boolean()),
  owner: z.optional(z.string()),
})
export type Backup = z.infer<typeof Backup>

export const DailyBackups = z.object({
  /** YYYY-MM-DD */
  date: z.string(),
  total: z.number(),
  snapshots: z.number(),
  pve: z.number(),
  pbs: z.number(),
})
export type DailyBackups = z.infer<typeof DailyBackups>
