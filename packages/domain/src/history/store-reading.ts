import { type Bucket, merge, mergeSamples } from './bucket.ts'
import { coarser } from './compaction.ts'
import { groupOf, type HistorySource, type Samples, type TimedBucket } from './history-source.ts'
import { type Levels, MinuteMeans } from './minute-means.ts'
import type { Precision } from './precision.ts'
import { readSegment } from './segment.ts'
import { absent } from './series.ts'
import type { Block } from './tile-storage.ts'
import { bucketsIn, rawSeriesIn, seriesPerTile, visitPeaks } from './tile.ts'
import { bucketMs, type BucketTier, dayMs, hourMs, minuteMs, quarterMs, startOf } from './tiers.ts'

/** Takes the largest samples of a thing, each of so many ms, from `start` on. */
export type Visit = (thing: number, start: number, lengthMs: number, peaks: ArrayLike<number>) => void

/** When samples were taken, in the order of time. */
export function readTicks(source: HistorySource, from: number, to: number): number[] {
  const ticks: number[] = []
  for (const { times } of [...source.blocksWithin('raw', from, to), ...source.segmentsWithin(from, to)])
    for (const at of times) if (at >= from && at < to) ticks.push(at)
  return isAscending(ticks) ? ticks : [...new Set(ticks)].toSorted((a, b) => a - b)
}

/** Samples as polled of each thing, gaps included, in the order of time. */
export function readSamples(
  source: HistorySource,
  field: number,
  things: readonly number[],
  from: number,
  to: number,
): Samples[] {
  const blocks = [...source.blocksWithin('raw', from, to)]
  const segments = source.segmentsWithin(from, to)
  const most = [...blocks, ...segments].reduce((sum, { times }) => sum + times.length, 0)
  const found = new Map(things.map((thing) => [thing, new SampleList(most)]))
  const add = (times: readonly number[]) => (thing: number, stored: ArrayLike<number>) => {
    const own = found.get(thing)!
    for (let n = 0; n < stored.length; n++) {
      const at = times[n]!
      if (at >= from && at < to && stored[n] !== absent.skipped) own.push(at, stored[n]!)
    }
  }
  for (const block of blocks) readTiles(source, block, field, found, rawSeriesIn, add(block.times))
  for (const segment of segments) readSegment(segment, field, found, add(segment.times))
  return things.map((thing) => found.get(thing)!.sorted())
}

/** Of a day there are thousands: arrays that grow with them would be garbage several times their size. */
class SampleList {
  readonly #most: number
  #times: Float64Array | undefined
  #values = new Float64Array(0)
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  push(at: number, stored: number): void {
    if (!this.#times) {
      this.#times = new Float64Array(this.#most)
      this.#values = new Float64Array(this.#most)
    }
    this.#times[this.#length] = at
    this.#values[this.#length++] = stored
  }

  /** By time: the clock may have gone back. */
  sorted(): Samples {
    // of a figure that is rarely sampled, only what it has stays in memory
    const part = this.#length < this.#most / 2 ? 'slice' : 'subarray'
    const times = (this.#times ?? new Float64Array(0))[part](0, this.#length)
    const values = this.#values[part](0, this.#length)
    if (isAscending(times)) return { times, values }
    const order = [...times.keys()].toSorted((a, b) => times[a]! - times[b]!)
    return {
      times: Float64Array.from(order, (n) => times[n]!),
      values: Float64Array.from(order, (n) => values[n]!),
    }
  }
}

function isAscending(times: ArrayLike<number>): boolean {
  for (let n = 1; n < times.length; n++) if (times[n]! < times[n - 1]!) return false
  return true
}

/**
 * Buckets of a tier that begin within the time, of each thing. Buckets without samples and without a reason
 * are left out.
 */
export function readBuckets(
  source: HistorySource,
  precision: Precision,
  tier: BucketTier,
  field: number,
  things: readonly number[],
  from: number,
  to: number,
): TimedBucket[][] {
  const found = new Map(things.map((thing) => [thing, new Map<number, Bucket>()]))
  const put = (thing: number, start: number, bucket: Bucket) => {
    if (start < from || start >= to || bucket === undefined) return
    const own = found.get(thing)!
    const before = own.get(start)
    own.set(start, before === undefined ? bucket : merge([before, bucket], precision))
  }
  const lengthMs = bucketMs[tier]
  const days = tier === 'minute' ? new Set<number>() : source.staleDays(from, to)
  for (const block of source.blocksWithin(tier, from, to))
    readTiles(source, block, field, found, bucketsIn, (thing, buckets) =>
      buckets.forEach((bucket, n) => {
        const start = block.start + n * lengthMs
        if (!days.has(startOf(start, dayMs)) || isKept(source, block, start)) put(thing, start, bucket)
      }),
    )
  if (tier === 'minute') {
    for (const segment of source.segmentsWithin(from, to)) {
      const start = startOf(segment.times[0]!, lengthMs)
      readSegment(segment, field, found, (thing, samples) =>
        put(thing, start, mergeSamples(samples, precision)),
      )
    }
  }
  const finer = tier === 'day' ? 'quarter' : 'minute'
  for (const day of days)
    for (const [n, buckets] of readBuckets(
      source,
      precision,
      finer,
      field,
      things,
      day,
      day + dayMs,
    ).entries())
      for (const [start, bucket] of coarser(buckets, lengthMs, precision)) put(things[n]!, start, bucket)
  return things.map((thing) =>
    Array.from(found.get(thing)!, ([start, bucket]) => ({ start, bucket: bucket! })).toSorted(
      (a, b) => a.start - b.start,
    ),
  )
}

/** Whether the quarter hour of a stale day is not made from minutes, because those are gone. */
const isKept = (source: HistorySource, { tier, part }: Block, at: number): boolean =>
  tier === 'quarter' && source.quarterPartOf(startOf(at, hourMs)) !== part

/** The mean of each minute of many things, as levels. Much faster than `buckets`, which has all of a bucket. */
export function readTrends(
  source: HistorySource,
  precision: Precision,
  field: number,
  things: readonly number[],
  from: number,
  minutes: number,
  leastTop: number,
): Levels {
  const means = new MinuteMeans({ things, from, minutes, precision })
  for (const { tier, start, part } of source.blocksWithin('minute', from, means.to))
    for (const group of means.groups()) {
      const bytes = source.storage.tile({ tier, field, group, start, part })
      if (bytes) means.addTile(group, start, bytes)
    }
  for (const segment of source.segmentsWithin(from, means.to))
    segment.visit(field, (thing, samples) => means.addSamples(thing, segment.times[0]!, samples))
  return means.toLevels(leastTop)
}

/**
 * The largest sample of each quarter hour, or of each minute where those are not made yet: what a search in
 * all things reads first. `visit` gets one block after another; a block without samples has `absent`.
 */
export function* readPeaks(
  source: HistorySource,
  field: number,
  things: readonly number[],
  from: number,
  to: number,
  visit: Visit,
): Generator<void, void> {
  const wanted = new Map(things.map((thing) => [thing, undefined]))
  const groups = new Map<number, Set<number>>()
  for (const thing of things) {
    const slots = groups.get(groupOf(thing)) ?? new Set<number>()
    groups.set(groupOf(thing), slots.add(thing % seriesPerTile))
  }
  const stale = source.staleDays(from, to)
  for (const tier of ['quarter', 'minute'] as const)
    for (const block of source.blocksWithin(tier, from, to)) {
      const isStale = stale.has(startOf(block.start, dayMs))
      if (!isStale && tier === 'minute') continue
      for (const [group, slots] of groups) {
        const { start, part } = block
        const bytes = source.storage.tile({ tier, field, group, start, part })
        if (!bytes) continue
        visitPeaks(bytes, (slot, peaks) => {
          if (!slots.has(slot)) return
          if (isStale && tier === 'quarter')
            for (let n = 0; n < peaks.length; n++)
              if (!isKept(source, block, start + n * quarterMs)) peaks[n] = absent.skipped
          visit(group * seriesPerTile + slot, start, bucketMs[tier], peaks)
        })
      }
      yield
    }
  for (const segment of source.segmentsWithin(from, to)) {
    const start = startOf(segment.times[0]!, minuteMs)
    readSegment(segment, field, wanted, (thing, all) => visit(thing, start, minuteMs, [Math.max(...all)]))
    yield
  }
}

/** Each tile is read once, however many of its series are wanted. */
function readTiles<T>(
  source: HistorySource,
  block: Block,
  field: number,
  wanted: ReadonlyMap<number, unknown>,
  seriesIn: (bytes: Uint8Array, slot: number) => T | undefined,
  use: (thing: number, series: T) => void,
) {
  for (const [group, things] of Map.groupBy(wanted.keys(), groupOf)) {
    const { tier, start, part } = block
    const bytes = source.storage.tile({ tier, field, group, start, part })
    for (const thing of bytes ? things : []) {
      const series = seriesIn(bytes!, thing % seriesPerTile)
      if (series) use(thing, series)
    }
  }
}
