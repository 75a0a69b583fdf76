import type { Bucket } from './bucket.ts'
import type { OpenSegment, Segment } from './segment.ts'
import type { Block, TileStorage } from './tile-storage.ts'
import { seriesPerTile } from './tile.ts'
import type { Tier } from './tiers.ts'

/** Stored values, or gaps, and their times. No object each: a day has thousands. */
export interface Samples {
  times: ArrayLike<number>
  values: ArrayLike<number>
}

export const samplesOf = ({ times, values }: Samples): Sample[] =>
  Array.from(times, (at, n) => ({ at, stored: values[n]! }))

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

/** What a reader needs that goes through tiles and segments itself. */
export interface HistorySource {
  storage: Pick<TileStorage, 'tile'>
  blocksWithin(tier: Tier, from: number, to: number): Iterable<Block>
  /** of hours that are in no block yet */
  segmentsWithin(from: number, to: number): readonly (Segment | OpenSegment)[]
  /** Days whose buckets have to be made from a finer tier. */
  staleDays(from: number, to: number): ReadonlySet<number>
  /** The part of the quarter hours that the minutes of an hour make; undefined: they are gone, or never were. */
  quarterPartOf(hour: number): number | undefined
}

export const groupOf = (thing: number): number => Math.floor(thing / seriesPerTile)
