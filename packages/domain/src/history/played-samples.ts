import { isSummary } from './bucket.ts'
import { absent } from './series.ts'
import type { Sample, TimedBucket } from './history-source.ts'
import { minuteMs } from './tiers.ts'

/** A counter ascends. If its last value is smaller, another thing has begun to count after the largest one. */
export function countsOfMinute({ start, bucket }: TimedBucket): Sample[] {
  if (!isSummary(bucket)) return samplesOfMinute({ start, bucket })
  const { min, max, last } = bucket
  const values = last === max ? [min, max] : [max, last]
  return values.map((stored, n) => ({ at: start + (n + 0.5) * (minuteMs / 2), stored }))
}

/**
 * A minute as the samples that it certainly had: the smallest, the largest and the last. Their order is not
 * stored. The smallest comes first, because it certainly ended an alert that it could end, and the largest
 * next to the last, because two of them in a row are what a delay asks for. So a load that lasts for less
 * than a minute is found when it reaches the minute's end.
 */
export function samplesOfMinute({ start, bucket }: TimedBucket): Sample[] {
  if (!isSummary(bucket)) return [{ at: start + minuteMs / 2, stored: absent[bucket] }]
  const { count, min, max, last } = bucket
  const values = count === 1 ? [last] : count === 2 ? [last === min ? max : min, last] : [min, max, last]
  const apartMs = minuteMs / values.length
  return values.map((stored, n) => ({ at: start + (n + 0.5) * apartMs, stored }))
}
