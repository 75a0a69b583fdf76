import * as z from 'zod/mini'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'
import { recordKinds } from '../kinds.ts'

/** The last hour of many things. One character is one minute, so the answer has the same size for any load. */
export const trendPoints = {
  minutes: 60,
  mostFields: 4,
  /** from the lowest to the highest level */
  levels: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  /** in the place of a level: the minute has no sample */
  none: '~',
} as const

export const Trend = z.object({
  /** ratio, percent, bytes, bytes/s, °C, cores, seconds, count or state */
  unit: z.string(),
  /**
   * 60 characters per id, in the order of the ids: the mean of each minute as a level from `A`, the lowest, to
   * `Z` and on from `a` to `z`, the highest; or `~` without a sample
   */
  points: z.string(),
  /** of each id, the value of level `z`; `A` is 0. At least 1 for a ratio, and 100 for percent and °C */
  tops: z.array(z.number()),
})
export type Trend = z.infer<typeof Trend>

export const HistoryTrends = z.object({
  /** start of the first minute */
  from: EpochMs,
  ids: z.array(z.string()),
  /** by field */
  fields: z.record(z.string(), Trend),
})
export type HistoryTrends = z.infer<typeof HistoryTrends>

/** The last hour of some figures of all things of a kind, by minute. The last minute is the current one. */
export const getHistoryTrends = endpoint({
  ...readsMonitoring,
  path: '/api/history/trends',
  query: z.strictObject({
    kind: z.enum(recordKinds() as [string, ...string[]]),
    /** comma-separated names, at most four */
    fields: z.string().check(z.minLength(1), z.maxLength(512)),
  }),
  reply: HistoryTrends,
})
