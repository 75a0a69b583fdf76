import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource } from './common.ts'

/** Result of the last verification. Absent for files on a PVE storage, which cannot be verified. */
export const Verification = z.enum(['ok', 'failed', 'never'])
export type Verification = z.infer<typeof Verification>

/** A backup and its location. */
export const HeldBackup = z.object({
  at: EpochMs,
  /** the instance of the backup server or cluster that holds it */
  instance: z.string(),
  /** on a backup server; absent on a storage of PVE */
  datastore: z.optional(z.string()),
  namespace: z.optional(z.string()),
  /** as the cluster names it */
  storage: z.optional(z.string()),
  verification: z.optional(Verification),
  size: z.optional(Bytes),
  /** its date is in the future, so it does not prove when the guest was last backed up */
  future: z.optional(z.boolean()),
})
export type HeldBackup = z.infer<typeof HeldBackup>

/** A guest's protection: one record per guest, with the guest's identity. */
export const Protection = z.object({
  vmid: z.number(),
  /** whether an enabled backup job includes it; absent while unknown */
  inJob: z.optional(z.boolean()),
  /** the newest backup; dated in the future only if there is no other */
  newest: z.optional(HeldBackup),
  /** the newest backup without a failed verification, if the newest has one */
  newestGood: z.optional(HeldBackup),
  /** the guest's newest run, if it failed and no newer backup exists */
  failed: z.optional(z.object({ at: EpochMs, error: z.string() })),
  /** start of the guest's newest run, if it succeeded */
  succeeded: z.optional(EpochMs),
  /** the newest backup with its VMID that may belong to another guest with the same VMID */
  ambiguous: z.optional(HeldBackup),
  ...fromSource,
})
export type Protection = z.infer<typeof Protection>
