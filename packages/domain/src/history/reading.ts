import { type Bucket, bucketOf, type GapReason, isSummary, merge, type Summary } from './bucket.ts'
import type { Precision } from './precision.ts'
import { absent, isSample } from './series.ts'
import type { Sample, TimedBucket } from './history-source.ts'
import { bucketMs, type BucketTier, startOf, type Tier, tiers } from './tiers.ts'

/** Between two ticks of a running Pulse there is less than this, even if the machine is busy. */
const offAfterMs = 45_000
/** More buckets per point would make the answer slow, and no finer tier shows more at that width. */
const bucketsPerPoint = 16
const tickMs = 10_000

/** The finest tier that reaches back to `from` and has few enough buckets for that many points. */
export function tierFor(
  from: number,
  to: number,
  points: number,
  now: number,
  keepMs: Record<Tier, number | undefined>,
): Tier {
  const fits = (tier: Tier) => {
    const lengthMs = tier === 'raw' ? tickMs : bucketMs[tier]
    return (to - from) / lengthMs <= bucketsPerPoint * points && now - from <= (keepMs[tier] ?? Infinity)
  }
  return tiers.find(fits) ?? 'day'
}

/** A point of a chart, in the unit of the figure. */
export interface SeriesPoint {
  at: number
  min: number
  mean: number
  max: number
  last: number
  count: number
}

export interface Gap {
  from: number
  to: number
  reason: GapReason | 'off'
}

/** Samples as points. */
export const samplePoints = (samples: readonly Sample[], precision: Precision): SeriesPoint[] =>
  samples
    .filter(({ stored }) => isSample(stored))
    .map(({ at, stored }) =>
      pointAt(at, { count: 1, min: stored, mean: stored, max: stored, last: stored }, precision),
    )

interface Wanted {
  from: number
  to: number
  /** maximum number of points */
  most: number
}

/**
 * Samples as points. If the time has more ticks than `most`, each point has the samples of a period, so that
 * all figures of a thing have their points at the same times.
 */
export function thinnedPoints(
  samples: readonly Sample[],
  { from, to, most }: Wanted,
  precision: Precision,
): SeriesPoint[] {
  const widthMs = tickMs * Math.ceil((to - from) / tickMs / most)
  if (widthMs <= tickMs) return samplePoints(samples, precision)
  const groups = Map.groupBy(samples, ({ at }) => startOf(at, widthMs))
  return [...groups].flatMap(([start, own]) => {
    const merged = merge(
      own.map(({ stored }) => bucketOf(stored)),
      precision,
    )
    return isSummary(merged) ? [pointAt(start, merged, precision)] : []
  })
}

/** At most `most` points, each of neighbouring buckets. */
export function bucketPoints(
  buckets: readonly TimedBucket[],
  tier: BucketTier,
  { from, to, most }: Wanted,
  precision: Precision,
): SeriesPoint[] {
  const lengthMs = bucketMs[tier]
  const widthMs = lengthMs * Math.max(1, Math.ceil((to - from) / lengthMs / most))
  const groups = Map.groupBy(buckets, ({ start }) => startOf(start, widthMs))
  return [...groups].flatMap(([start, own]) => {
    const merged = merge(
      own.map(({ bucket }) => bucket),
      precision,
    )
    return isSummary(merged) ? [pointAt(start, merged, precision)] : []
  })
}

function pointAt(
  at: number,
  { count, min, mean, max, last }: Summary,
  { fromStored }: Precision,
): SeriesPoint {
  return {
    at,
    count,
    min: fromStored(min),
    mean: fromStored(mean),
    max: fromStored(max),
    last: fromStored(last),
  }
}

/** Gaps between samples. `ran` are the times of all ticks: where there are none, Pulse was off. */
export function sampleGaps(
  samples: readonly Sample[],
  ran: readonly number[],
  from: number,
  to: number,
): Gap[] {
  const gaps: Gap[] = []
  for (const [n, { at, stored }] of samples.entries()) {
    if (isSample(stored)) continue
    const reason = stored === absent.silent ? 'silent' : 'stopped'
    extend(gaps, { from: at, to: samples[n + 1]?.at ?? to, reason })
  }
  const times = [from, ...ran, to]
  for (let n = 1; n < times.length; n++)
    if (times[n]! - times[n - 1]! > offAfterMs)
      gaps.push({ from: times[n - 1]!, to: times[n]!, reason: 'off' })
  return withoutOverlap(gaps)
}

/** Gaps between buckets. `ran` are the starts of buckets in which Pulse ran. */
export function bucketGaps(
  buckets: readonly TimedBucket[],
  ran: ReadonlySet<number>,
  tier: BucketTier,
  from: number,
  to: number,
): Gap[] {
  const lengthMs = bucketMs[tier]
  const known = new Map<number, Bucket>(buckets.map(({ start, bucket }) => [start, bucket]))
  const gaps: Gap[] = []
  for (let start = startOf(from, lengthMs); start < to; start += lengthMs) {
    const bucket = known.get(start)
    if (isSummary(bucket)) continue
    const reason = bucket ?? (ran.has(start) ? undefined : 'off')
    if (reason) extend(gaps, { from: Math.max(from, start), to: Math.min(to, start + lengthMs), reason })
  }
  return gaps
}

/** A gap that begins where one with the same reason ends makes that one longer. */
function extend(gaps: Gap[], next: Gap) {
  const last = gaps.at(-1)
  if (last && last.to === next.from && last.reason === next.reason) last.to = next.to
  else gaps.push(next)
}

/** While Pulse was off, nothing else is known. Both kinds of gaps are in the order of time. */
function withoutOverlap(gaps: readonly Gap[]): Gap[] {
  const off = gaps.filter(({ reason }) => reason === 'off')
  const left: Gap[] = []
  let first = 0
  for (const gap of gaps) {
    if (gap.reason === 'off') continue
    while (first < off.length && off[first]!.to <= gap.from) first++
    let { from } = gap
    for (let n = first; n < off.length && off[n]!.from < gap.to; n++) {
      if (from < off[n]!.from) left.push({ ...gap, from, to: off[n]!.from })
      from = off[n]!.to
    }
    if (from < gap.to) left.push({ ...gap, from })
  }
  return [...left, ...off].toSorted((a, b) => a.from - b.from)
}
