import { type Bucket, merge, mergeSamples } from './bucket.ts'
import { groupOf, type TimedBucket } from './history-source.ts'
import type { Precision } from './precision.ts'
import type { Segment } from './segment.ts'
import { absent } from './series.ts'
import type { Block, TilePlace, TileStorage } from './tile-storage.ts'
import { allBucketsIn, encodeBucketTile, encodeRawTile, seriesPerTile } from './tile.ts'
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

/** Groups of things whose day is made per step. */
const groupsPerStep = 16

/** An hour becomes one tile of samples and one of minutes for each field and group, in steps. */
export function* writeHour(writer: TileWriter, hour: Hour): Generator<void, void> {
  const fields = new Set(hour.segments.flatMap((segment) => [...segment.fields()]))
  for (const field of fields) {
    writeColumn(writer, field, hour)
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

function writeColumn(
  { storage, precision: of }: TileWriter,
  field: number,
  { start, part, segments, times }: Hour,
) {
  const precision = of(field)
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
  const minutes = times.map((at) => (startOf(at, minuteMs) - start) / minuteMs)
  for (const [group, tile] of raw) {
    for (const series of tile.values()) while (series.length < times.length) series.push(absent.skipped)
    const place = { field, group, start, part }
    storage.putTile({ ...place, tier: 'raw' }, encodeRawTile(tile))
    const coarse = new Map([...tile].map(([slot, series]) => [slot, byMinute(series, minutes, precision)]))
    storage.putTile({ ...place, tier: 'minute' }, encodeBucketTile(coarse))
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
  return byBucket.map((samples) => mergeSamples(samples, precision))
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
