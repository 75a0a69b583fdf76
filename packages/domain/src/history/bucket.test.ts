import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, bucketOf, isSummary, merge, mergeSamples, type Summary } from './bucket.ts'
import { precisionOf } from './precision.ts'
import { absent } from './series.ts'

const { ratio } = precisionOf
const samples = (...stored: number[]) => merge(stored.map(bucketOf), ratio)

test('[design 14] a bucket has the smallest, largest and last sample, and their mean', () => {
  expect(samples(200, 900, 100, 400)).toEqual({ count: 4, min: 100, max: 900, mean: 400, last: 400 })
})

test('[design 14] a gap has its reason, and neither a value nor zero', () => {
  expect(samples(absent.silent, absent.silent)).toBe('silent')
  expect(samples(absent.silent, absent.stopped)).toBe('stopped')
  expect(samples(absent.skipped)).toBeUndefined()
  expect(samples()).toBeUndefined()
})

test('a bucket with samples is no gap, whatever else it has', () => {
  expect(samples(absent.silent, 300, absent.stopped)).toEqual(samples(300))
})

test('samples merge to what each of them as a bucket merges to', () => {
  const stored = fc.oneof(fc.integer({ min: -50, max: 1_000 }), fc.constantFrom(...Object.values(absent)))
  fc.assert(
    fc.property(
      fc.array(stored, { maxLength: 12 }),
      fc.constantFrom(...Object.values(precisionOf)),
      (all, precision) => {
        expect(mergeSamples(all, precision)).toEqual(merge(all.map(bucketOf), precision))
      },
    ),
  )
})

test('the mean of amounts is that of the amounts, not of their stored logarithms', () => {
  const { bytes } = precisionOf
  const of = (...values: number[]) =>
    merge(
      values.map((value) => bucketOf(bytes.toStored(value))),
      bytes,
    )
  expect(bytes.fromStored((of(1_000, 1_000_000_000) as Summary).mean)).toBeCloseTo(500_000_500, -6)
})

test('buckets of buckets agree with buckets of samples: count, min, max and last exactly, the mean nearly', () => {
  const stored = fc.oneof(fc.integer({ min: 0, max: 1_000 }), fc.constantFrom(...Object.values(absent)))
  fc.assert(
    fc.property(fc.array(fc.array(stored, { maxLength: 8 }), { maxLength: 8 }), (parts) => {
      const once = samples(...parts.flat())
      const twice: Bucket = merge(
        parts.map((part) => samples(...part)),
        ratio,
      )
      if (!isSummary(once) || !isSummary(twice)) return void expect(twice).toBe(once)
      expect({ ...twice, mean: 0 }).toEqual({ ...once, mean: 0 })
      expect(Math.abs(twice.mean - once.mean)).toBeLessThanOrEqual(1)
    }),
  )
})
