import { type Bucket, bucketOf, merge } from './bucket.ts'
import { type Levels, MinuteMeans } from './minute-means.ts'
import type { Precision } from './precision.ts'
import { type Column, OpenSegment, readSegment, Segment } from './segment.ts'
import { absent } from './series.ts'
import type { Block, TileStorage, TilePlace } from './tile-storage.ts'
import {
  allBucketsIn,
  bucketsIn,
  encodeBucketTile,
  encodeRawTile,
  rawSeriesIn,
  seriesPerTile,
  visitPeaks,
} from './tile.ts'
import { blockMs, bucketMs, type BucketTier, dayMs, hourMs, minuteMs, startOf, type Tier } from './tiers.ts'

/** A sample, or a gap, at its time. */
export interface Sample {
  at: number
  stored: number
}

/** A bucket that has samples or a reason for its gap. */
export interface TimedBucket {
  start: number
  bucket: Exclude<Bucket, undefined>
}

export interface HistoryStoreEdges {
  storage: TileStorage
  /** of a field, by its number */
  precision: (field: number) => Precision
}

/** What a reader needs that goes through tiles and segments itself. */
export interface HistorySource {
  storage: Pick<TileStorage, 'tile'>
  blocksWithin(tier: Tier, from: number, to: number): Iterable<Block>
  /** of hours that are in no block yet */
  segmentsWithin(from: number, to: number): readonly (Segment | OpenSegment)[]
  /** Days whose buckets have to be made from a finer tier. */
  staleDays(tier: BucketTier, from: number, to: number): ReadonlySet<number>
}

/** Takes the largest samples of a thing, each of so many ms, from `start` on. */
export type Visit = (thing: number, start: number, lengthMs: number, peaks: ArrayLike<number>) => void

/** Groups of things whose day is made per step. */
const groupsPerStep = 16
/** Tiles removed per step. */
const tilesPerStep = 200

/**
 * The metric history: samples by minute as they come, by hour and series once the hour is over, and coarser
 * tiers from finer ones. A kill at any moment loses at most the samples of the minute under way.
 */
export class HistoryStore {
  readonly #storage: TileStorage
  readonly #precision: HistoryStoreEdges['precision']
  /** of hours that are not in blocks yet */
  readonly #segments = new Map<number, Segment>()
  #open = new OpenSegment()
  readonly #blocks = new Map<Tier, Map<number, Block[]>>()
  readonly #dirty: Set<number>

  constructor({ storage, precision }: HistoryStoreEdges) {
    this.#storage = storage
    this.#precision = precision
    for (const { id, bytes } of storage.segments()) this.#segments.set(id, new Segment(bytes))
    for (const block of storage.blocks()) this.#keep(block)
    this.#dirty = new Set(storage.dirtyDays())
  }

  /**
   * Takes the samples of a tick. With the first tick of a minute, the minute before becomes durable; returns
   * whether it did.
   */
  append(at: number, columns: readonly Column[]): boolean {
    const last = this.#open.times.at(-1)
    // A step back of the clock begins a new segment, too, because times ascend within a segment.
    const isOver = last !== undefined && (startOf(at, minuteMs) !== startOf(last, minuteMs) || at <= last)
    if (isOver) this.flush()
    this.#open.add(at, columns)
    return isOver
  }

  /** Makes the samples so far durable. If that fails, they stay and the next call tries again. */
  flush(): void {
    if (this.#open.times.length === 0) return
    const bytes = this.#open.encode()
    this.#segments.set(this.#storage.putSegment(bytes), new Segment(bytes))
    this.#open = new OpenSegment()
  }

  /** Drops the minute under way, so that a storage that takes nothing does not fill the memory. */
  discard(): number {
    const { length } = this.#open.times
    this.#open = new OpenSegment()
    return length
  }

  /** Moves hours and days that are over into blocks, in steps of one field and some hundred things. */
  *compact(now: number): Generator<void, void> {
    const last = this.#open.times.at(-1)
    // After a suspension the open minute may belong to a day that is over.
    if (last !== undefined && startOf(now, minuteMs) !== startOf(last, minuteMs)) this.flush()
    const hours = new Set([...this.#segments.values()].map((segment) => hourOf(segment)))
    for (const hour of [...hours].toSorted((a, b) => a - b))
      if (hour !== startOf(now, hourMs)) yield* this.#compactHour(hour)
    for (const day of [...this.#dirty].toSorted((a, b) => a - b)) {
      const isWaiting = [...this.#segments.values()].some(
        (segment) => startOf(hourOf(segment), dayMs) === day,
      )
      if (day !== startOf(now, dayMs) && !isWaiting) yield* this.#compactDay(day)
    }
  }

  /** Removes blocks that ended before their tier's limit, in steps. */
  *retain(now: number, keepMs: Record<Tier, number | undefined>): Generator<void, void> {
    for (const [tier, byStart] of this.#blocks)
      for (const [start, blocks] of byStart) {
        const keep = keepMs[tier]
        if (keep === undefined || start + blockMs[tier] > now - keep) continue
        // The quarter hours of a day are made from its minutes.
        if (tier === 'minute' && this.#dirty.has(startOf(start, dayMs))) continue
        byStart.delete(start)
        for (const block of blocks) while (!this.#storage.drop(block, tilesPerStep)) yield
        yield
      }
  }

  get source(): HistorySource {
    return {
      storage: this.#storage,
      blocksWithin: (...asked) => this.#blocksWithin(...asked),
      segmentsWithin: (...asked) => this.#segmentsWithin(...asked),
      staleDays: (...asked) => this.#staleDays(...asked),
    }
  }

  /** The oldest sample that is in no block yet. */
  get oldestWaiting(): number | undefined {
    return this.#segmentsWithin(-Infinity, Infinity)
      .map(({ times }) => times[0]!)
      .reduce<number | undefined>((least, at) => Math.min(least ?? at, at), undefined)
  }

  /** Samples as polled of each thing, gaps included, in the order of time. */
  samples(field: number, things: readonly number[], from: number, to: number): Sample[][] {
    const found = new Map(things.map((thing) => [thing, [] as Sample[]]))
    const add = (times: readonly number[]) => (thing: number, values: readonly number[]) =>
      values.forEach((stored, n) => {
        const at = times[n]!
        if (at >= from && at < to && stored !== absent.skipped) found.get(thing)!.push({ at, stored })
      })
    for (const block of this.#blocksWithin('raw', from, to))
      this.#readTiles(block, field, found, rawSeriesIn, add(block.times))
    for (const segment of this.#segmentsWithin(from, to))
      readSegment(segment, field, found, add(segment.times))
    return things.map((thing) => found.get(thing)!.toSorted((a, b) => a.at - b.at))
  }

  /**
   * Buckets of a tier that begin within the time, of each thing. Buckets without samples and without a reason
   * are left out.
   */
  buckets(
    tier: BucketTier,
    field: number,
    things: readonly number[],
    from: number,
    to: number,
  ): TimedBucket[][] {
    const precision = this.#precision(field)
    const found = new Map(things.map((thing) => [thing, new Map<number, Bucket>()]))
    const put = (thing: number, start: number, bucket: Bucket) => {
      if (start < from || start >= to || bucket === undefined) return
      const own = found.get(thing)!
      own.set(start, own.has(start) ? merge([own.get(start), bucket], precision) : bucket)
    }
    const lengthMs = bucketMs[tier]
    const days = tier === 'minute' ? new Set<number>() : this.#staleDays(tier, from, to)
    for (const block of this.#blocksWithin(tier, from, to))
      this.#readTiles(block, field, found, bucketsIn, (thing, buckets) =>
        buckets.forEach((bucket, n) => {
          const start = block.start + n * lengthMs
          if (!days.has(startOf(start, dayMs))) put(thing, start, bucket)
        }),
      )
    if (tier === 'minute') {
      for (const segment of this.#segmentsWithin(from - lengthMs, to)) {
        const start = startOf(segment.times[0]!, lengthMs)
        readSegment(segment, field, found, (thing, samples) =>
          put(thing, start, merge(samples.map(bucketOf), precision)),
        )
      }
    }
    const finer = tier === 'day' ? 'quarter' : 'minute'
    for (const day of days)
      for (const [n, buckets] of this.buckets(finer, field, things, day, day + dayMs).entries())
        for (const [start, bucket] of coarser(buckets, lengthMs, precision)) put(things[n]!, start, bucket)
    return things.map((thing) =>
      [...found.get(thing)!]
        .map(([start, bucket]) => ({ start, bucket: bucket! }))
        .toSorted((a, b) => a.start - b.start),
    )
  }

  /** The mean of each minute of many things, as levels. Much faster than `buckets`, which has all of a bucket. */
  trends(field: number, things: readonly number[], from: number, minutes: number, leastTop: number): Levels {
    const means = new MinuteMeans({ things, from, minutes, precision: this.#precision(field) })
    for (const { tier, start, part } of this.#blocksWithin('minute', from, means.to))
      for (const group of means.groups()) {
        const bytes = this.#storage.tile({ tier, field, group, start, part })
        if (bytes) means.addTile(group, start, bytes)
      }
    for (const segment of this.#segmentsWithin(from, means.to))
      segment.visit(field, (thing, samples) => means.addSamples(thing, segment.times[0]!, samples))
    return means.toLevels(leastTop)
  }

  /**
   * The largest sample of each quarter hour, or of each minute where those are not made yet: what a search in
   * all things reads first. `visit` gets one block after another; a block without samples has `absent`.
   */
  *peaks(
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
    const stale = this.#staleDays('quarter', from, to)
    for (const tier of ['quarter', 'minute'] as const)
      for (const block of this.#blocksWithin(tier, from, to)) {
        if (stale.has(startOf(block.start, dayMs)) !== (tier === 'minute')) continue
        for (const [group, slots] of groups) {
          const { start, part } = block
          const bytes = this.#storage.tile({ tier, field, group, start, part })
          if (!bytes) continue
          visitPeaks(bytes, (slot, peaks) => {
            if (slots.has(slot)) visit(group * seriesPerTile + slot, start, bucketMs[tier], peaks)
          })
        }
        yield
      }
    for (const segment of this.#segmentsWithin(from, to)) {
      const start = startOf(segment.times[0]!, minuteMs)
      readSegment(segment, field, wanted, (thing, all) => visit(thing, start, minuteMs, [Math.max(...all)]))
      yield
    }
  }

  /** Each tile is read once, however many of its series are wanted. */
  #readTiles<T>(
    block: Block,
    field: number,
    wanted: ReadonlyMap<number, unknown>,
    seriesIn: (bytes: Uint8Array, slot: number) => T | undefined,
    use: (thing: number, series: T) => void,
  ) {
    for (const [group, things] of Map.groupBy(wanted.keys(), groupOf)) {
      const { tier, start, part } = block
      const bytes = this.#storage.tile({ tier, field, group, start, part })
      for (const thing of bytes ? things : []) {
        const series = seriesIn(bytes!, thing % seriesPerTile)
        if (series) use(thing, series)
      }
    }
  }

  #segmentsWithin(from: number, to: number): (Segment | OpenSegment)[] {
    return [...this.#segments.values(), this.#open].filter(
      ({ times }) => times.length > 0 && times[0]! < to && times.at(-1)! >= from,
    )
  }

  /** Days whose buckets have to be made from a finer tier. */
  #staleDays(tier: BucketTier, from: number, to: number): Set<number> {
    const days = new Set(this.#dirty)
    for (const { times } of this.#segmentsWithin(-Infinity, Infinity)) days.add(startOf(times[0]!, dayMs))
    const lengthMs = bucketMs[tier]
    return new Set([...days].filter((day) => day + dayMs > from - lengthMs && day < to))
  }

  *#blocksWithin(tier: Tier, from: number, to: number): Generator<Block, void> {
    for (const [start, blocks] of this.#blocks.get(tier) ?? [])
      if (start < to && start + blockMs[tier] > from) yield* blocks
  }

  /** An hour becomes one tile of samples and one of minutes for each field and group. */
  *#compactHour(hour: number): Generator<void, void> {
    const entries = [...this.#segments].filter(([, segment]) => hourOf(segment) === hour)
    const times = entries.flatMap(([, { times: own }]) => own)
    const part = this.#nextPart(hour)
    const fields = new Set(entries.flatMap(([, segment]) => [...segment.fields()]))
    for (const field of fields) {
      this.#compactColumn(
        field,
        hour,
        part,
        entries.map(([, segment]) => segment),
        times,
      )
      yield
    }
    const blocks: Block[] = [
      { tier: 'raw', start: hour, part, times },
      { tier: 'minute', start: hour, part, times: [] },
    ]
    const day = startOf(hour, dayMs)
    this.#storage.finish({ blocks, segments: entries.map(([id]) => id), dirty: [day] })
    blocks.forEach((block) => this.#keep(block))
    this.#dirty.add(day)
    for (const [id] of entries) this.#segments.delete(id)
  }

  /** The samples of an hour may be removed before its minutes. */
  #nextPart(hour: number): number {
    const parts = (['raw', 'minute'] as const).flatMap((tier) => this.#blocks.get(tier)?.get(hour) ?? [])
    return Math.max(-1, ...parts.map(({ part }) => part)) + 1
  }

  #compactColumn(field: number, hour: number, part: number, segments: readonly Segment[], times: number[]) {
    const precision = this.#precision(field)
    const raw = new Map<number, Map<number, number[]>>()
    let before = 0
    for (const segment of segments) {
      for (const [thing, samples] of segment.column(field)) {
        const series = seriesOf(raw, thing)
        while (series.length < before) series.push(absent.skipped)
        series.push(...samples)
      }
      before += segment.times.length
    }
    const minutes = times.map((at) => (startOf(at, minuteMs) - hour) / minuteMs)
    for (const [group, tile] of raw) {
      for (const series of tile.values()) while (series.length < times.length) series.push(absent.skipped)
      const place = { field, group, start: hour, part }
      this.#storage.putTile({ ...place, tier: 'raw' }, encodeRawTile(tile))
      const coarse = new Map([...tile].map(([slot, series]) => [slot, byMinute(series, minutes, precision)]))
      this.#storage.putTile({ ...place, tier: 'minute' }, encodeBucketTile(coarse))
    }
  }

  /** The minutes of a day become quarter hours, and those a day. */
  *#compactDay(day: number): Generator<void, void> {
    const hours = [...this.#blocksWithin('minute', day, day + dayMs)]
    const fields = new Set(hours.flatMap((block) => this.#storage.fields(block)))
    const year = startOf(day, blockMs.day)
    for (const field of fields) {
      const groups = new Set(hours.flatMap((block) => this.#storage.groups({ ...block, field })))
      let done = 0
      for (const group of groups) {
        this.#compactGroup(day, year, hours, field, group)
        if (++done % groupsPerStep === 0) yield
      }
      yield
    }
    const blocks: Block[] = [
      { tier: 'quarter', start: day, part: 0, times: [] },
      { tier: 'day', start: year, part: 0, times: [] },
    ]
    this.#storage.finish({ blocks, clean: [day] })
    blocks.forEach((block) => this.#keep(block))
    this.#dirty.delete(day)
  }

  #compactGroup(day: number, year: number, hours: readonly Block[], field: number, group: number) {
    const precision = this.#precision(field)
    const bySlot = new Map<number, TimedBucket[]>()
    for (const block of hours) {
      const bytes = this.#storage.tile({ ...block, field, group })
      for (const [slot, buckets] of bytes ? allBucketsIn(bytes) : [])
        buckets.forEach((bucket, n) => {
          if (bucket === undefined) return
          const own = bySlot.get(slot) ?? []
          bySlot.set(slot, own)
          own.push({ start: block.start + n * minuteMs, bucket })
        })
    }
    const quarters = new Map<number, Bucket[]>()
    const quarterPlace: TilePlace = { tier: 'quarter', field, group, start: day, part: 0 }
    // Late samples of a day whose minutes are removed already add to its quarter hours.
    const former = this.#storage.tile(quarterPlace)
    const before = former ? allBucketsIn(former) : new Map<number, Bucket[]>()
    const place: TilePlace = { tier: 'day', field, group, start: year, part: 0 }
    const known = this.#storage.tile(place)
    const days = new Map<number, Bucket[]>(known ? allBucketsIn(known) : [])
    for (const slot of new Set([...bySlot.keys(), ...before.keys()])) {
      const minutes = (bySlot.get(slot) ?? []).toSorted((a, b) => a.start - b.start)
      const own = coarser(minutes, bucketMs.quarter, precision)
      const whole = Array.from(
        { length: dayMs / bucketMs.quarter },
        (_, n) => own.get(day + n * bucketMs.quarter) ?? before.get(slot)?.[n],
      )
      quarters.set(slot, whole)
      const inYear = days.get(slot) ?? []
      days.set(slot, inYear)
      const at = (day - year) / dayMs
      while (inYear.length < at) inYear.push(undefined)
      inYear[at] = merge(whole, precision)
    }
    this.#storage.putTile(quarterPlace, encodeBucketTile(quarters))
    this.#storage.putTile(place, encodeBucketTile(days))
  }

  #keep(block: Block): void {
    const byStart = this.#blocks.get(block.tier) ?? new Map<number, Block[]>()
    this.#blocks.set(block.tier, byStart)
    const others = (byStart.get(block.start) ?? []).filter(({ part }) => part !== block.part)
    byStart.set(block.start, [...others, block])
  }
}

const hourOf = ({ times }: Segment): number => startOf(times[0]!, hourMs)

export const groupOf = (thing: number): number => Math.floor(thing / seriesPerTile)

function seriesOf(raw: Map<number, Map<number, number[]>>, thing: number): number[] {
  const group = groupOf(thing)
  const tile = raw.get(group) ?? new Map<number, number[]>()
  raw.set(group, tile)
  const slot = thing % seriesPerTile
  const series = tile.get(slot) ?? []
  tile.set(slot, series)
  return series
}

function byMinute(series: readonly number[], minutes: readonly number[], precision: Precision): Bucket[] {
  const byBucket: number[][] = Array.from({ length: hourMs / minuteMs }, () => [])
  series.forEach((stored, n) => byBucket[minutes[n]!]!.push(stored))
  return byBucket.map((samples) => merge(samples.map(bucketOf), precision))
}

/** Buckets of a longer time from shorter ones in the order of time. */
function coarser(
  buckets: readonly TimedBucket[],
  lengthMs: number,
  precision: Precision,
): Map<number, Bucket> {
  const groups = Map.groupBy(buckets, ({ start }) => startOf(start, lengthMs))
  return new Map(
    [...groups].map(([start, own]) => [
      start,
      merge(
        own.map(({ bucket }) => bucket),
        precision,
      ),
    ]),
  )
}
