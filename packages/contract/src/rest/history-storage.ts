import * as z from 'zod/mini'
import { endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'
import { HistoryTier } from './history.ts'

export const HistoryTierSize = z.object({
  tier: HistoryTier,
  bytes: z.number(),
  /** measured on this installation; absent until the tier has a first block, after an hour or a day */
  bytesPerDay: z.optional(z.number()),
})
export type HistoryTierSize = z.infer<typeof HistoryTierSize>

export const HistoryStorage = z.object({
  /** of history.db, with what it has not moved into the file yet */
  fileBytes: z.number(),
  /** the oldest stored sample, or the day of it; absent when there is none */
  oldest: z.optional(EpochMs),
  tiers: z.array(HistoryTierSize),
  /** URL of the store that has the samples instead; the other fields are about history.db all the same */
  samplesIn: z.optional(z.string()),
})
export type HistoryStorage = z.infer<typeof HistoryStorage>

/** What the metric history takes on disk. */
export const getHistoryStorage = endpoint({
  ...readsSettings,
  path: '/api/history/storage',
  reply: HistoryStorage,
})

/** Deletes history.db and begins a new one. Samples in another store stay. */
export const deleteHistory = endpoint({
  ...writesSettings,
  method: 'DELETE',
  path: '/api/history',
  audit: 'metric_history_deleted',
  reply: z.object({ success: z.literal(true) }),
})
