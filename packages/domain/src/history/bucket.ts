import type { Precision } from './precision.ts'
import { absent, isSample } from './series.ts'

/** Why a bucket has no value. A bucket with no reason was not reached yet, or Pulse was off. */
export type GapReason = 'silent' | 'stopped'

/** The samples of a period, in stored values. */
export interface Summary {
  count: number
  min: number
  mean: number
  max: number
  last: number
}

/** One bucket of a series: its samples, or why it has none. */
export type Bucket = Summary | GapReason | undefined

export const isSummary = (bucket: Bucket): bucket is Summary => typeof bucket === 'object'

/** A single sample as a bucket. */
export function bucketOf(stored: number): Bucket {
  if (isSample(stored)) return { count: 1, min: stored, mean: stored, max: stored, last: stored }
  if (stored === absent.silent) return 'silent'
  return stored === absent.stopped ? 'stopped' : undefined
}

/**
 * One bucket from several, in the order of time. The mean is of the values themselves, because stored values
 * may be logarithms. Without any sample the latest reason counts.
 */
export function merge(buckets: Iterable<Bucket>, { fromStored, toStored }: Precision): Bucket {
  let merged: Summary | undefined
  let reason: GapReason | undefined
  let sum = 0
  for (const bucket of buckets) {
    if (bucket === undefined) continue
    if (typeof bucket === 'string') {
      reason = bucket
      continue
    }
    const { count, min, mean, max, last } = bucket
    sum += count * fromStored(mean)
    if (!merged) merged = { ...bucket }
    else {
      merged.count += count
      merged.min = Math.min(merged.min, min)
      merged.max = Math.max(merged.max, max)
      merged.last = last
    }
  }
  if (!merged) return reason
  // A mean outside of its bounds would be drawn outside of its band.
  const mean = merged.min === merged.max ? merged.min : toStored(sum / merged.count)
  merged.mean = Math.min(merged.max, Math.max(merged.min, mean))
  return merged
}
