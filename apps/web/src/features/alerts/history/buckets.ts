import type { Period } from './period.ts'

const HOUR_MS = 3_600_000
const MOST_BUCKETS = 30
/** hours */
const sizes = [1, 2, 3, 6, 12, 24, 48, 72, 168, 336, 720, 1_440] as const
const fixed = {
  '24h': { hours: 1, span: 24 },
  '7d': { hours: 6, span: 168 },
  '30d': { hours: 24, span: 720 },
} as const

/** Alerts that started in [start, end), in epoch ms. */
export interface Bucket {
  start: number
  end: number
  warning: number
  critical: number
}

interface Started {
  /** epoch ms */
  startedAt: number
  level: string
}

export interface Buckets {
  /** of each bucket, in hours */
  hours: number
  buckets: readonly Bucket[]
}

/** Splits the period into equal buckets; the last one ends now. */
export function toBuckets(alerts: readonly Started[], period: Period, now: number): Buckets {
  const { hours, count } = period === 'all' ? sizeForAll(alerts, now) : sizeOf(fixed[period])
  const sizeMs = hours * HOUR_MS
  const from = now - count * sizeMs
  const buckets = Array.from({ length: count }, (_, at) => ({
    start: from + at * sizeMs,
    end: from + (at + 1) * sizeMs,
    warning: 0,
    critical: 0,
  }))
  for (const { startedAt, level } of alerts) {
    // an alert that starts right now, or in the future by a clock ahead of ours, goes into the last bucket
    const at = Math.min(count - 1, Math.floor((startedAt - from) / sizeMs))
    const bucket = buckets[at]
    if (bucket) bucket[level === 'critical' ? 'critical' : 'warning'] += 1
  }
  return { hours, buckets }
}

const sizeOf = ({ hours, span }: { hours: number; span: number }) => ({ hours, count: span / hours })

/** The smallest bucket size that covers everything since the oldest alert. */
function sizeForAll(alerts: readonly Started[], now: number) {
  const oldest = alerts.reduce((least, { startedAt }) => Math.min(least, startedAt), now)
  const span = Math.max(1, (now - oldest) / HOUR_MS)
  const hours = sizes.find((size) => Math.ceil(span / size) <= MOST_BUCKETS) ?? sizes.at(-1)!
  return { hours, count: Math.min(MOST_BUCKETS, Math.ceil(span / hours)) }
}

export function bucketLabel(hours: number): string {
  return hours % 24 === 0 ? `${hours / 24} day(s)` : `${hours} hour(s)`
}

/** px */
const LEAST_BAR = 8

/** Logarithmic, so that a single alert stays visible beside a thousand. */
export function barHeight(count: number, most: number, height: number): number {
  if (count <= 0) return 0
  const share = Math.log10(count + 1) / Math.log10(Math.max(most, count) + 1)
  return Math.max(LEAST_BAR, Math.round(share * height))
}

const LABELS = 5

/** Indices of the buckets with a label below the chart. */
export function labelledBuckets(count: number): readonly number[] {
  if (count <= LABELS) return Array.from({ length: count }, (_, at) => at)
  return Array.from({ length: LABELS }, (_, at) => Math.round((at * (count - 1)) / (LABELS - 1)))
}

export const isWithin = (startedAt: number, { start, end }: Pick<Bucket, 'start' | 'end'>): boolean =>
  startedAt >= start && startedAt < end
