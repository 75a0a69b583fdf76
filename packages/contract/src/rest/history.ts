import * as z from 'zod/mini'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'
import { recordKinds } from '../kinds.ts'

/** In percent or bytes per second. */
const ChartPoint = z.object({ timestamp: EpochMs, value: z.number() })
export type ChartPoint = z.infer<typeof ChartPoint>
const chart = z.array(ChartPoint)

/** Ranges of the documented charts, in minutes. */
export const chartRanges = {
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '12h': 720,
  '24h': 1_440,
  '7d': 10_080,
} as const

const MachineCharts = { cpu: chart, memory: chart, disk: chart }
export const Charts = z.object({
  /** by guest id */
  data: z.record(
    z.string(),
    z.object({ ...MachineCharts, diskread: chart, diskwrite: chart, netin: chart, netout: chart }),
  ),
  /** by node id */
  nodeData: z.record(z.string(), z.object(MachineCharts)),
  /** by storage id */
  storageData: z.record(z.string(), z.object({ disk: chart })),
  timestamp: EpochMs,
  stats: z.object({ oldestDataTimestamp: EpochMs }),
})
export type Charts = z.infer<typeof Charts>

/** An unknown range is one hour, as in Pulse 4.x. */
export const getCharts = endpoint({
  ...readsMonitoring,
  path: '/api/charts',
  query: z.strictObject({ range: z.optional(z.string()) }),
  reply: Charts,
})

/** usage in percent, the others in bytes. */
export const StorageCharts = z.record(
  z.string(),
  z.object({ usage: chart, used: chart, total: chart, avail: chart }),
)
export type StorageCharts = z.infer<typeof StorageCharts>

/** The range is in minutes. */
export const getStorageCharts = endpoint({
  ...readsMonitoring,
  path: '/api/storage-charts',
  query: z.strictObject({ range: z.optional(z.string()) }),
  reply: StorageCharts,
})

/** Comma-separated names. */
const names = z.string().check(z.minLength(1), z.maxLength(4_096))
export const mostSeries = { ids: 8, fields: 16 } as const

const whole = (least: number, most: number) =>
  z.coerce.number().check(z.int(), z.minimum(least), z.maximum(most))

/**
 * `raw`: as polled, kept for hours (`historyRawHours`). The others have the smallest, mean, largest and last sample of each period. So
 * has `raw`, where it has more samples than points.
 */
export const HistoryTier = z.enum(['raw', 'minute', 'quarter', 'day'])
export type HistoryTier = z.infer<typeof HistoryTier>

/** Why a period has no samples: the source did not answer, the thing did not run or was removed, or Pulse was off. */
export const HistoryGap = z.object({
  from: EpochMs,
  to: EpochMs,
  reason: z.enum(['silent', 'stopped', 'gone', 'off']),
})
export type HistoryGap = z.infer<typeof HistoryGap>

export const HistoryPoint = z.object({
  at: EpochMs,
  min: z.number(),
  mean: z.number(),
  max: z.number(),
  last: z.number(),
  /** number of samples */
  count: z.number(),
})
export type HistoryPoint = z.infer<typeof HistoryPoint>

export const HistorySeries = z.object({
  id: z.string(),
  field: z.string(),
  /** ratio, percent, bytes, bytes/s, °C, cores, seconds, count or state */
  unit: z.string(),
  /** of the guest that had the id before the one that has it now */
  isFormer: z.optional(z.literal(true)),
  /** since when it has the id, if another guest had it before */
  since: z.optional(EpochMs),
  /** until when it had the id, if another guest has had it since */
  until: z.optional(EpochMs),
  points: z.array(HistoryPoint),
  gaps: z.array(HistoryGap),
})
export type HistorySeries = z.infer<typeof HistorySeries>

/**
 * The past of some figures. Several ids compare things of one kind. The answer uses the finest tier that
 * covers the time with at most `points` points per series; with many series, 20,000 points in all.
 */
export const getHistorySeries = endpoint({
  ...readsMonitoring,
  path: '/api/history/series',
  query: z.strictObject({
    kind: z.enum(recordKinds() as [string, ...string[]]),
    /** of one kind, at most eight */
    ids: names,
    /** at most sixteen */
    fields: names,
    from: whole(0, 8.64e15),
    to: whole(0, 8.64e15),
    /** Which thing an id means: the last one that came to have it before this time. Without it: before `to`. */
    asOf: z.optional(whole(0, 8.64e15)),
    points: z.optional(whole(3, 2_000)),
  }),
  reply: z.object({
    tier: HistoryTier,
    from: EpochMs,
    to: EpochMs,
    series: z.array(HistorySeries),
  }),
})
