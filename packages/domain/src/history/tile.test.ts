import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, bucketOf, merge } from './bucket.ts'
import { precisionOf } from './precision.ts'
import { absent } from './series.ts'
import {
  allBucketsIn,
  allRawIn,
  bucketsIn,
  encodeBucketTile,
  encodeRawTile,
  rawSeriesIn,
  seriesPerTile,
} from './tile.ts'

const stored = fc.oneof(fc.integer({ min: -500, max: 100_000 }), fc.constantFrom(...Object.values(absent)))
const bucket: fc.Arbitrary<Bucket> = fc
  .array(stored, { maxLength: 6 })
  .map((samples) => merge(samples.map(bucketOf), precisionOf.percent))
const tileOf = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: seriesPerTile - 1 }), fc.array(value, { maxLength: 40 })))
    .map((entries) => new Map(entries))

test('a tile of samples is read as it was written, as a whole and by slot', () => {
  fc.assert(
    fc.property(tileOf(stored), (tile) => {
      const bytes = encodeRawTile(tile)
      expect(allRawIn(bytes)).toEqual(tile)
      for (let slot = 0; slot < seriesPerTile; slot++)
        expect(rawSeriesIn(bytes, slot)).toEqual(tile.get(slot))
    }),
  )
})

test('a tile of buckets is read as it was written, as a whole and by slot', () => {
  fc.assert(
    fc.property(tileOf(bucket), (tile) => {
      const bytes = encodeBucketTile(tile)
      expect(allBucketsIn(bytes)).toEqual(tile)
      for (let slot = 0; slot < seriesPerTile; slot++) expect(bucketsIn(bytes, slot)).toEqual(tile.get(slot))
    }),
  )
})
