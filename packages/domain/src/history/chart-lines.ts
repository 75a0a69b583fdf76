import { downSample, type Point } from './down-sample.ts'
import type { Precision } from './precision.ts'
import { isSample } from './series.ts'
import { groupOf, type HistorySource } from './history-source.ts'
import { readTicks } from './store-reading.ts'
import { allRawIn, seriesPerTile, visitPeaks } from './tile.ts'
import { bucketMs, type BucketTier, dayMs, minuteMs, startOf, type Tier } from './tiers.ts'

export interface ChartLinesRequest {
  tier: Tier
  field: number
  things: readonly number[]
  from: number
  to: number
  /** points per line, at least 3 */
  most: number
  precision: Precision
}

const groupsPerStep = 8

/**
 * The line of each thing through its largest samples. One number per time and thing is in memory, and no object, so
 * that the lines of many things fit.
 */
export function* chartLines(
  source: HistorySource,
  { tier, field, things, from, to, most, precision }: ChartLinesRequest,
): Generator<void, (readonly Point[])[]> {
  const columns = tier === 'raw' ? ticksOf(source, from, to) : periodsOf(tier, from, to, most)
  const rows = new Map(things.map((thing, row) => [thing, row]))
  const largest = new Float64Array(things.length * columns.length).fill(-Infinity)
  const put = (thing: number, column: number | undefined, stored: number) => {
    const row = rows.get(thing)
    if (row === undefined || column === undefined || !isSample(stored)) return
    const cell = row * columns.length + column
    if (stored > largest[cell]!) largest[cell] = stored
  }
  yield* tier === 'raw'
    ? visitSamples(source, { field, things, from, to }, (thing, at, stored) =>
        put(thing, columns.of(at), stored),
      )
    : visitLargest(source, tier, { field, things, from, to }, (thing, at, stored) =>
        put(thing, columns.of(at), stored),
      )
  return things.map((_, row) => {
    const points: Point[] = []
    for (let column = 0; column < columns.length; column++) {
      const stored = largest[row * columns.length + column]!
      if (stored > -Infinity) points.push({ at: columns.at(column), value: precision.fromStored(stored) })
    }
    return downSample(points, most)
  })
}

/** The times of the points that a line may have. */
interface Columns {
  length: number
  at(column: number): number
  of(at: number): number | undefined
}

function ticksOf(source: HistorySource, from: number, to: number): Columns {
  const times = readTicks(source, from, to)
  const known = new Map(times.map((at, column) => [at, column]))
  return { length: times.length, at: (column) => times[column]!, of: (at) => known.get(at) }
}

function periodsOf(tier: BucketTier, from: number, to: number, most: number): Columns {
  const widthMs = bucketMs[tier] * Math.max(1, Math.ceil((to - from) / bucketMs[tier] / most))
  const first = startOf(from, widthMs)
  return {
    length: Math.ceil((to - first) / widthMs),
    at: (column) => first + column * widthMs,
    of: (at) => (at >= from && at < to ? (startOf(at, widthMs) - first) / widthMs : undefined),
  }
}

interface Wanted {
  field: number
  things: readonly number[]
  from: number
  to: number
}
type Use = (thing: number, at: number, stored: number) => void

function* visitSamples(source: HistorySource, { field, things, from, to }: Wanted, use: Use) {
  const segments = source.segmentsWithin(from, to)
  for (const { start, part, times } of source.blocksWithin('raw', from, to))
    yield* eachTile(source, things, { tier: 'raw', field, start, part }, (group, bytes) => {
      for (const [slot, samples] of allRawIn(bytes))
        for (const [n, stored] of samples.entries()) use(group * seriesPerTile + slot, times[n]!, stored)
    })
  for (const segment of segments) {
    segment.visit(field, (thing, samples) => {
      for (let n = 0; n < samples.length; n++) use(thing, segment.times[n]!, samples[n]!)
    })
    yield
  }
}

/**
 * What is in segments moves into blocks meanwhile, so the segments of the beginning are read.
 * Of days that have no quarter hours yet, the minutes are read. What there is of coarser buckets has no larger samples.
 */
function* visitLargest(
  source: HistorySource,
  tier: BucketTier,
  { field, things, from, to }: Wanted,
  use: Use,
) {
  const segments = source.segmentsWithin(from, to)
  const stale = tier === 'minute' ? new Set<number>() : source.staleDays(from, to)
  for (const own of new Set<BucketTier>([tier, 'minute']))
    for (const { start, part } of source.blocksWithin(own, from, to))
      yield* eachTile(source, things, { tier: own, field, start, part }, (group, bytes) =>
        visitPeaks(bytes, (slot, peaks) => {
          for (const [n, stored] of peaks.entries()) {
            const at = start + n * bucketMs[own]
            if (own !== tier && !stale.has(startOf(at, dayMs))) continue
            use(group * seriesPerTile + slot, at, stored)
          }
        }),
      )
  for (const segment of segments) {
    const at = startOf(segment.times[0]!, minuteMs)
    segment.visit(field, (thing, samples) => {
      for (let n = 0; n < samples.length; n++) use(thing, at, samples[n]!)
    })
    yield
  }
}

function* eachTile(
  source: HistorySource,
  things: readonly number[],
  place: { tier: Tier; field: number; start: number; part: number },
  use: (group: number, bytes: Uint8Array) => void,
) {
  let done = 0
  for (const group of new Set(things.map(groupOf))) {
    const bytes = source.storage.tile({ ...place, group })
    if (bytes) use(group, bytes)
    if (++done % groupsPerStep === 0) yield
  }
  yield
}
