import { type Bucket, merge, mergeSamples } from './bucket.ts'
import { groupOf, type TimedBucket } from './history-source.ts'
import type { Precision } from './precision.ts'
import type { Segment } from './segment.ts'
import { absent } from './series.ts'
import type { Block, TilePlace, TileStorage } from './tile-storage.ts'
import { allBucketsIn, encodeBucketTile, encodeRawTile, seriesPerTile } from './tile.ts'
import { blockMs, bucketMs, dayMs, hourMs, minuteMs, startOf } from './tiers.ts'

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

/** The minutes of a day become quarter hours, and those a day, in steps. `hours`: the blocks of its minutes. */
export function* writeDay(writer: TileWriter, day: number, hours: readonly Block[]): Generator<void, void> {
  const fields = new Set(hours.flatMap((block) => writer.storage.fields(block)))
  for (const field of fields) {
    const groups = new Set(hours.flatMap((block) => writer.storage.groups({ ...block, field })))
    let done = 0
    for (const group of groups) {
      writeGroup(writer, day, hours, field, group)
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

function writeGroup(
  { storage, precision: of }: TileWriter,
  day: number,
  hours: readonly Block[],
  field: number,
  group: number,
) {
  const precision = of(field)
  const year = startOf(day, blockMs.day)
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
  const quarters = new Map<number, Bucket[]>()
  const quarterPlace: TilePlace = { tier: 'quarter', field, group, start: day, part: 0 }
  // Late samples of a day whose minutes are removed already add to its quarter hours.
  const former = storage.tile(quarterPlace)
  const before = former ? allBucketsIn(former) : new Map<number, Bucket[]>()
  const place: TilePlace = { tier: 'day', field, group, start: year, part: 0 }
  const known = storage.tile(place)
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
  storage.putTile(quarterPlace, encodeBucketTile(quarters))
  storage.putTile(place, encodeBucketTile(days))
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
