import { type Bucket, type GapReason, isSummary, merge, mergeSamples, type Summary } from './bucket.ts'
import type { Precision } from './precision.ts'
import { absent, isSample } from './series.ts'
import type { Samples, TimedBucket } from './history-source.ts'
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

interface Wanted {
  from: number
  to: number
  /** maximum number of points */
  most: number
}

/**
 * Samples in the order of time as points. If the time has more ticks than `most`, each point has the samples of a
 * period, so that all figures of a thing have their points at the same times.
 */
export function samplePoints(
  { times, values }: Samples,
  { from, to, most }: Wanted,
  precision: Precision,
): SeriesPoint[] {
  const widthMs = tickMs * Math.ceil((to - from) / tickMs / most)
  const startAt = (n: number) => (widthMs <= tickMs ? times[n]! : startOf(times[n]!, widthMs))
  const points: SeriesPoint[] = []
  const own: number[] = []
  for (let n = 0; n < values.length; n++) {
    own.push(values[n]!)
    const start = startAt(n)
    if (n + 1 < times.length && startAt(n + 1) === start) continue
    const merged = mergeSamples(own, precision)
    if (isSummary(merged)) points.push(pointAt(start, merged, precision))
    own.length = 0
  }
  return points
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
  { times, values }: Samples,
  ran: readonly number[],
  from: number,
  to: number,
): Gap[] {
  const gaps: Gap[] = []
  for (let n = 0; n < values.length; n++) {
    const stored = values[n]!
    if (isSample(stored)) continue
    const reason = stored === absent.silent ? 'silent' : 'stopped'
    extend(gaps, { from: times[n]!, to: times[n + 1] ?? to, reason })
  }
  for (let n = 0; n <= ran.length; n++) {
    const [before, after] = [ran[n - 1] ?? from, ran[n] ?? to]
    if (after - before > offAfterMs) gaps.push({ from: before, to: after, reason: 'off' })
  }
  return withoutOverlap(gaps)
}

/** Gaps between buckets. `hasRun`: whether Pulse ran in the bucket that begins then. */
export function bucketGaps(
  buckets: readonly TimedBucket[],
  hasRun: (start: number) => boolean,
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
    const reason = bucket ?? (hasRun(start) ? undefined : 'off')
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
