import { chartLines, type ChartLinesRequest } from './chart-lines.ts'
import { type TileWriter, writeDay, writeHour } from './compaction.ts'
import type { Point } from './down-sample.ts'
import {
  type HistorySource,
  type Sample,
  type Samples,
  samplesOf,
  type TimedBucket,
} from './history-source.ts'
import type { Levels } from './minute-means.ts'
import type { SampleReads } from './sample-reads.ts'
import { type Column, OpenSegment, Segment } from './segment.ts'
import { readLast } from './last-values.ts'
import { readBuckets, readPeaks, readSamples, readTicks, readTrends, type Visit } from './store-reading.ts'
import type { Block, TileStorage } from './tile-storage.ts'
import { blockMs, type BucketTier, dayMs, hourMs, minuteMs, startOf, type Tier } from './tiers.ts'

export interface HistoryStoreEdges extends TileWriter {
  storage: TileStorage
}

/** Tiles removed per step. */
const tilesPerStep = 200

/**
 * The metric history: samples by minute as they come, by hour and series once the hour is over, and coarser
 * tiers from finer ones. A kill at any moment loses at most the samples of the minute under way.
 */
export class HistoryStore implements SampleReads {
  readonly #storage: TileStorage
  readonly #precision: TileWriter['precision']
  readonly #writer: TileWriter
  /** of hours that are not in blocks yet */
  readonly #segments = new Map<number, Segment>()
  #open = new OpenSegment()
  readonly #blocks = new Map<Tier, Map<number, Block[]>>()
  readonly #dirty: Set<number>

  constructor({ storage, precision }: HistoryStoreEdges) {
    this.#storage = storage
    this.#precision = precision
    this.#writer = { storage, precision }
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
        // The quarter hours of a day are made from its minutes, and the day from all of its quarter hours.
        const isFiner = tier === 'minute' || tier === 'quarter'
        if (isFiner && this.#staleDays(start, start + blockMs[tier]).size > 0) continue
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
      quarterPartOf: (hour) => this.#quarterPartOf(hour),
    }
  }

  /** The oldest sample that is in no block yet. */
  get oldestWaiting(): number | undefined {
    return this.#segmentsWithin(-Infinity, Infinity)
      .map(({ times }) => times[0]!)
      .reduce<number | undefined>((least, at) => Math.min(least ?? at, at), undefined)
  }

  /** When samples as polled were taken, in the order of time. Within them, Pulse ran. */
  ticks(from: number, to: number): number[] {
    return readTicks(this.source, from, to)
  }

  /** As `samples`, and much faster for many samples. */
  columns(field: number, things: readonly number[], from: number, to: number): Samples[] {
    return readSamples(this.source, field, things, from, to)
  }

  /** Samples as polled of each thing, gaps included, in the order of time. */
  samples(field: number, things: readonly number[], from: number, to: number): Sample[][] {
    return this.columns(field, things, from, to).map(samplesOf)
  }

  /**
   * The last stored value of each thing within the time, as polled or of the minutes that begin there, or the code of
   * its gap; undefined without either.
   */
  last(
    tier: 'raw' | 'minute',
    field: number,
    things: readonly number[],
    from: number,
    to: number,
  ): (number | undefined)[] {
    return readLast(this.source, { tier, field, things, from, to })
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
    return readBuckets(this.source, this.#precision(field), tier, field, things, from, to)
  }

  /** The mean of each minute of many things, as levels. Much faster than `buckets`, which has all of a bucket. */
  trends(field: number, things: readonly number[], from: number, minutes: number, leastTop: number): Levels {
    return readTrends(this.source, this.#precision(field), field, things, from, minutes, leastTop)
  }

  /** The line of each thing through its largest samples. */
  lines(request: ChartLinesRequest): Generator<void, (readonly Point[])[]> {
    return chartLines(this.source, request)
  }

  /**
   * The largest sample of each quarter hour, or of each minute where those are not made yet: what a search in
   * all things reads first. `visit` gets one block after another; a block without samples has `absent`.
   */
  peaks(
    field: number,
    things: readonly number[],
    from: number,
    to: number,
    visit: Visit,
  ): Generator<void, void> {
    return readPeaks(this.source, field, things, from, to, visit)
  }

  #segmentsWithin(from: number, to: number): (Segment | OpenSegment)[] {
    return [...this.#segments.values(), this.#open].filter(
      ({ times }) => times.length > 0 && times[0]! < to && times.at(-1)! >= from,
    )
  }

  /** Days whose buckets have to be made from a finer tier. */
  #staleDays(from: number, to: number): Set<number> {
    const days = new Set(this.#dirty)
    for (const { times } of this.#segmentsWithin(-Infinity, Infinity)) days.add(startOf(times[0]!, dayMs))
    return new Set([...days].filter((day) => day + dayMs > from && day < to))
  }

  *#blocksWithin(tier: Tier, from: number, to: number): Generator<Block, void> {
    for (const [start, blocks] of this.#blocks.get(tier) ?? [])
      if (start < to && start + blockMs[tier] > from) yield* blocks
  }

  *#compactHour(hour: number): Generator<void, void> {
    const entries = [...this.#segments].filter(([, segment]) => hourOf(segment) === hour)
    const segments = entries.map(([, segment]) => segment)
    const times = segments.flatMap(({ times: own }) => own)
    const part = this.#nextPart(hour)
    yield* writeHour(this.#writer, { start: hour, part, segments, times })
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

  /** The samples of an hour may be removed before its minutes, and its minutes before its quarter hours. */
  #nextPart(hour: number): number {
    const parts = [
      ...this.#partsOf('raw', hour),
      ...this.#partsOf('minute', hour),
      ...this.#partsOf('quarter', startOf(hour, dayMs)),
    ]
    return Math.max(-1, ...parts) + 1
  }

  #partsOf(tier: Tier, start: number): number[] {
    return (this.#blocks.get(tier)?.get(start) ?? []).map(({ part }) => part)
  }

  #quarterPartOf(hour: number): number | undefined {
    const parts = this.#partsOf('minute', hour)
    return parts.length === 0 ? undefined : Math.min(...parts)
  }

  *#compactDay(day: number): Generator<void, void> {
    const minutes = [...this.#blocksWithin('minute', day, day + dayMs)]
    const hours = Map.groupBy(minutes, ({ start }) => this.#quarterPartOf(start)!)
    const parts = new Set([...this.#partsOf('quarter', day), ...hours.keys()])
    yield* writeDay(this.#writer, { start: day, hours, parts: [...parts].toSorted((a, b) => a - b) })
    const blocks: Block[] = [
      ...Array.from(hours.keys(), (part): Block => ({ tier: 'quarter', start: day, part, times: [] })),
      { tier: 'day', start: startOf(day, blockMs.day), part: 0, times: [] },
    ]
    this.#storage.finish({ blocks, clean: [day] })
    blocks.forEach((block) => this.#keep(block))
    this.#dirty.delete(day)
  }

  #keep(block: Block): void {
    const byStart = this.#blocks.get(block.tier) ?? new Map<number, Block[]>()
    this.#blocks.set(block.tier, byStart)
    const others = (byStart.get(block.start) ?? []).filter(({ part }) => part !== block.part)
    byStart.set(block.start, [...others, block])
  }
}

const hourOf = ({ times }: Segment): number => startOf(times[0]!, hourMs)
