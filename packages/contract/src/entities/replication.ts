import * as z from 'zod/mini'
import { EpochMs, fromSource } from './common.ts'

/** Copies a guest's disks from its node to another at intervals. */
export const ReplicationJob = z.object({
  id: z.string(),
  instance: z.string(),
  /** `{vmid}-{number}`: PVE's job id */
  job: z.string(),
  vmid: z.number(),
  /** the guest's current node */
  node: z.string(),
  target: z.string(),
  schedule: z.optional(z.string()),
  enabled: z.boolean(),
  /** absent if it never succeeded; `lastTry` is absent if it never ran */
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
