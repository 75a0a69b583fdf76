import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, bucketOf, isSummary, merge } from './bucket.ts'
import { ByteWriter } from './bytes.ts'
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
  visitLasts,
  visitMeans,
  visitPeaks,
  visitRaw,
} from './tile.ts'

const stored = fc.oneof(fc.integer({ min: -500, max: 100_000 }), fc.constantFrom(...Object.values(absent)))
const bucket: fc.Arbitrary<Bucket> = fc
  .array(stored, { maxLength: 6 })
  .map((samples) => merge(samples.map(bucketOf), precisionOf.percent))
const tileOf = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: seriesPerTile - 1 }), fc.array(value, { maxLength: 40 })))
    .map((entries) => new Map(entries))
const slots = fc.array(fc.nat(seriesPerTile - 1)).map((all) => new Set(all))
const plain = (tile: ReadonlyMap<number, ArrayLike<number>>) =>
  new Map([...tile].map(([slot, series]) => [slot, Array.from(series)]))

test('a tile of samples is read as it was written, as a whole and by slot', () => {
  fc.assert(
    fc.property(tileOf(stored), (tile) => {
      const bytes = encodeRawTile(tile)
      expect(plain(allRawIn(bytes))).toEqual(tile)
      for (let slot = 0; slot < seriesPerTile; slot++) {
        const series = rawSeriesIn(bytes, slot)
        expect(series && Array.from(series)).toEqual(tile.get(slot))
      }
    }),
  )
})

test('of the wanted series, the first samples are read', () => {
  fc.assert(
    fc.property(tileOf(stored), slots, fc.nat(50), (tile, wanted, most) => {
      const read = new Map<number, number[]>()
      visitRaw(encodeRawTile(tile), wanted, most, (slot, samples) => read.set(slot, Array.from(samples)))
      expect(read).toEqual(
        new Map([...tile].flatMap(([slot, own]) => (wanted.has(slot) ? [[slot, own.slice(0, most)]] : []))),
      )
    }),
  )
})

test('the last and the largest sample of each bucket are those of the buckets, and gaps keep their reason', () => {
  fc.assert(
    fc.property(tileOf(bucket), slots, (tile, wanted) => {
      const bytes = encodeBucketTile(tile)
      const valuesOf = (of: 'last' | 'max', own: readonly Bucket[]) =>
        own.map((one) => (isSummary(one) ? one[of] : one === undefined ? absent.skipped : absent[one]))
      const lasts = new Map<number, number[]>()
      visitLasts(bytes, wanted, (slot, values) => lasts.set(slot, Array.from(values)))
      expect(lasts).toEqual(
        new Map(
          [...tile].flatMap(([slot, own]) => (wanted.has(slot) ? [[slot, valuesOf('last', own)]] : [])),
        ),
      )
      const peaks = new Map<number, number[]>()
      visitPeaks(bytes, (slot, values) => peaks.set(slot, Array.from(values)))
      expect(peaks).toEqual(new Map([...tile].map(([slot, own]) => [slot, valuesOf('max', own)])))
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

test('damaged bytes with a large length are refused before memory is taken for it', () => {
  const writer = new ByteWriter()
  const own = new ByteWriter()
  own.unsigned(2 ** 40)
  own.unsigned(1)
  writer.unsigned(1)
  writer.unsigned(0)
  writer.take(own)
  const bytes = writer.finish()
  const ends = 'the stored samples end too early'
  expect(() => rawSeriesIn(bytes, 0)).toThrow(ends)
  expect(() => visitRaw(bytes, new Set([0]), Infinity, () => undefined)).toThrow(ends)
  expect(() => visitMeans(bytes, () => undefined)).toThrow(ends)
})
