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
  return reasonOf(stored)
}

function reasonOf(stored: number): GapReason | undefined {
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
  merged.mean = meanWithin(merged, toStored(sum / merged.count))
  return merged
}

/**
 * As `merge` of each sample as a bucket, without making those: an hour of a large estate has millions. `into`: takes the
 * summary, for callers that keep none.
 */
export function mergeSamples(
  samples: ArrayLike<number>,
  { fromStored, toStored }: Precision,
  into: Summary = { count: 0, min: 0, mean: 0, max: 0, last: 0 },
): Bucket {
  let reason: GapReason | undefined
  let count = 0
  let sum = 0
  let [min, max, last] = [Infinity, -Infinity, 0]
  for (let n = 0; n < samples.length; n++) {
    const stored = samples[n]!
    if (!isSample(stored)) {
      reason = reasonOf(stored) ?? reason
      continue
    }
    count++
    sum += fromStored(stored)
    if (stored < min) min = stored
    if (stored > max) max = stored
    last = stored
  }
  if (count === 0) return reason
  into.count = count
  into.min = min
  into.max = max
  into.last = last
  into.mean = meanWithin(into, toStored(sum / count))
  return into
}

/** A mean outside of its bounds would be drawn outside of its band. */
const meanWithin = ({ min, max }: Pick<Summary, 'min' | 'max'>, mean: number): number =>
  min === max ? min : Math.min(max, Math.max(min, mean))
