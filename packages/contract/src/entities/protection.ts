import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource } from './common.ts'

/** Whether a backup was read again and found whole. Files on a storage of PVE cannot be verified: no word. */
export const Verification = z.enum(['ok', 'failed', 'never'])
export type Verification = z.infer<typeof Verification>

/** A backup, and where it lies. */
export const HeldBackup = z.object({
  at: EpochMs,
  /** the instance of the backup server or cluster that holds it */
  instance: z.string(),
  /** on a backup server; absent on a storage of PVE */
  datastore: z.optional(z.string()),
  namespace: z.optional(z.string()),
  /** as the cluster lists it */
  storage: z.optional(z.string()),
  verification: z.optional(Verification),
  size: z.optional(Bytes),
  /** its date is still to come, so it proves nothing about when the guest was last backed up */
  future: z.optional(z.boolean()),
})
export type HeldBackup = z.infer<typeof HeldBackup>

/** How well a guest is protected: of each guest one, with the identity of the guest. */
export const Protection = z.object({
  vmid: z.number(),
  /** whether an enabled backup job includes it; absent while unknown */
  inJob: z.optional(z.boolean()),
  /** one that is dated in the future only while there is no other */
  newest: z.optional(HeldBackup),
  /** the newest that was not found broken, when the newest was */
  newestGood: z.optional(HeldBackup),
  /** the newest run for it, when it failed and nothing newer than it exists */
  failed: z.optional(z.object({ at: EpochMs, error: z.string() })),
  /** when the newest run for it began, when it went well */
  succeeded: z.optional(EpochMs),
  /** the newest backup under its number that may be another guest's of the same number */
  ambiguous: z.optional(HeldBackup),
  ...fromSource,
})
export type Protection = z.infer<typeof Protection>
