import * as z from 'zod/mini'
import { EpochMs, fromSource } from './common.ts'

/** Copies a guest's disks from its node to another, again and again. */
export const ReplicationJob = z.object({
  id: z.string(),
  instance: z.string(),
  /** `{vmid}-{number}`: PVE's name of the job */
  job: z.string(),
  vmid: z.number(),
  /** where the guest is now */
  node: z.string(),
  target: z.string(),
  schedule: z.optional(z.string()),
  enabled: z.boolean(),
  /** absent when it never succeeded, or was never tried */
  lastSync: z.optional(EpochMs),
  lastTry: z.optional(EpochMs),
  nextSync: z.optional(EpochMs),
  durationSeconds: z.optional(z.number()),
  /** since the last success */
  failCount: z.number(),
  error: z.optional(z.string()),
  ...fromSource,
})
export type ReplicationJob = z.infer<typeof ReplicationJob>
