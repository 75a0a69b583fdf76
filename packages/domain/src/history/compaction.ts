import { type Bucket, merge, mergeSamples, type Summary } from './bucket.ts'
import { groupOf, type TimedBucket } from './history-source.ts'
import type { Precision } from './precision.ts'
import type { Segment, SegmentCursor } from './segment.ts'
import { absent } from './series.ts'
import type { Block, TilePlace, TileStorage } from './tile-storage.ts'
import { allBucketsIn, encodeBuckets, encodeBucketTile, encodeRawTile, seriesPerTile } from './tile.ts'
import { blockMs, dayMs, hourMs, minuteMs, quarterMs, startOf } from './tiers.ts'

export interface TileWriter {
  storage: Pick<TileStorage, 'tile' | 'putTile' | 'fields' | 'groups'>
  /** of a field, by its number */
  precision: (field: number) => Precision
}

/** An hour that is over. */
export interface Hour {
  start: number
  part: number
  segments: readonly Segment[]
  /** of the ticks of all segments */
  times: number[]
}

/** A day that is over. */
export interface Day {
  start: number
  /** the blocks of its minutes, by the part of the quarter hours that they make */
  hours: ReadonlyMap<number, readonly Block[]>
  /** all parts of its quarter hours, those that are made now among them */
  parts: readonly number[]
}

/** Groups of things whose hour or day is made per step. */
const groupsPerStep = 16

/** An hour becomes one tile of samples and one of minutes for each field and group, in steps. */
export function* writeHour(writer: TileWriter, hour: Hour): Generator<void, void> {
  const fields = new Set(hour.segments.flatMap((segment) => [...segment.fields()]))
  const minutes = ticksByMinute(hour)
  for (const field of fields) {
    yield* writeColumn(writer, field, hour, minutes)
    yield
  }
}

/** The minutes of a day become quarter hours, and those a day, in steps. */
export function* writeDay(writer: TileWriter, day: Day): Generator<void, void> {
  const hours = [...day.hours.values()].flat()
  const fields = new Set(hours.flatMap((block) => writer.storage.fields(block)))
  for (const field of fields) {
    const groups = new Set(hours.flatMap((block) => writer.storage.groups({ ...block, field })))
    let done = 0
    for (const group of groups) {
      writeGroup(writer, day, field, group)
      if (++done % groupsPerStep === 0) yield
    }
    yield
  }
}

/** Goes through all segments at once, thing by thing: an hour of a large estate does not fit into a few megabytes. */
function* writeColumn(
  { storage, precision: of }: TileWriter,
  field: number,
  { start, part, segments, times }: Hour,
  minutes: readonly (readonly number[])[],
): Generator<void, void> {
  const precision = of(field)
  const columns: { cursor: SegmentCursor; from: number; to: number }[] = []
  let before = 0
  for (const segment of segments) {
    const cursor = segment.cursor(field)
    const to = before + segment.times.length
    if (cursor) columns.push({ cursor, from: before, to })
    before = to
  }
  for (let done = 1; ; done++) {
    const group = Math.min(...columns.map(({ cursor }) => groupOf(cursor.thing ?? Infinity)))
    if (group === Infinity) return
    const tile = new Map<number, Float64Array>()
    for (const { cursor, from, to } of columns)
      while (groupOf(cursor.thing ?? Infinity) === group) {
        const slot = cursor.thing! % seriesPerTile
        const series = tile.get(slot) ?? new Float64Array(times.length).fill(absent.skipped)
        tile.set(slot, series)
        cursor.read(series.subarray(from, to))
      }
    const place = { field, group, start, part }
    storage.putTile({ ...place, tier: 'raw' }, encodeRawTile(tile))
    storage.putTile({ ...place, tier: 'minute' }, encodeMinutes(tile, minutes, precision))
    if (done % groupsPerStep === 0) yield
  }
}

function writeGroup(writer: TileWriter, { start: day, hours, parts }: Day, field: number, group: number) {
  const { storage } = writer
  const precision = writer.precision(field)
  const quarters = parts.map((part) => {
    const place: TilePlace = { tier: 'quarter', field, group, start: day, part }
    const former = storage.tile(place)
    const before = former ? allBucketsIn(former) : new Map<number, Bucket[]>()
    const own = hours.get(part)
    if (!own) return before
    // Where the minutes of a quarter hour are gone, it stays.
    const made = quartersOf(writer, day, own, before, field, group)
    storage.putTile(place, encodeBucketTile(made))
    return made
  })
  const year = startOf(day, blockMs.day)
  const place: TilePlace = { tier: 'day', field, group, start: year, part: 0 }
  const known = storage.tile(place)
  const days = new Map<number, Bucket[]>(known ? allBucketsIn(known) : [])
  for (const slot of new Set(quarters.flatMap((tile) => [...tile.keys()]))) {
    const inYear = days.get(slot) ?? []
    days.set(slot, inYear)
    const at = (day - year) / dayMs
    while (inYear.length < at) inYear.push(undefined)
    const whole = Array.from({ length: dayMs / quarterMs }, (_, n) =>
      quarters.map((tile) => tile.get(slot)?.[n]),
    )
    inYear[at] = merge(whole.flat(), precision)
  }
  storage.putTile(place, encodeBucketTile(days))
}

/** The quarter hours of these minutes, and those of before of all other times. */
function quartersOf(
  { storage, precision: of }: TileWriter,
  day: number,
  hours: readonly Block[],
  before: ReadonlyMap<number, readonly Bucket[]>,
  field: number,
  group: number,
): Map<number, Bucket[]> {
  const bySlot = new Map<number, TimedBucket[]>()
  for (const block of hours) {
    const bytes = storage.tile({ ...block, field, group })
    for (const [slot, buckets] of bytes ? allBucketsIn(bytes) : [])
      buckets.forEach((bucket, n) => {
        if (bucket === undefined) return
        const own = bySlot.get(slot) ?? []
        bySlot.set(slot, own)
        own.push({ start: block.start + n * minuteMs, bucket })
      })
  }
  const slots = [...new Set([...bySlot.keys(), ...before.keys()])]
  return new Map(
    slots.map((slot) => {
      const minutes = (bySlot.get(slot) ?? []).toSorted((a, b) => a.start - b.start)
      const own = coarser(minutes, quarterMs, of(field))
      const former = before.get(slot)
      return [
        slot,
        Array.from({ length: dayMs / quarterMs }, (_, n) => own.get(day + n * quarterMs) ?? former?.[n]),
      ]
    }),
  )
}

/** The places of the ticks of each minute. */
function ticksByMinute({ start, times }: Hour): number[][] {
  const minutes: number[][] = Array.from({ length: hourMs / minuteMs }, () => [])
  for (const [n, at] of times.entries()) minutes[(startOf(at, minuteMs) - start) / minuteMs]!.push(n)
  return minutes
}

function encodeMinutes(
  tile: ReadonlyMap<number, Float64Array>,
  minutes: readonly (readonly number[])[],
  precision: Precision,
): Uint8Array {
  const own: number[] = []
  const summary: Summary = { count: 0, min: 0, mean: 0, max: 0, last: 0 }
  return encodeBuckets(tile, (series, columns) => {
    for (const ticks of minutes) {
      own.length = 0
      for (const n of ticks) own.push(series[n]!)
      columns.add(mergeSamples(own, precision, summary))
    }
  })
}

/** Buckets of a longer time from shorter ones in the order of time. */
export function coarser(
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
