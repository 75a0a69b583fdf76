import { describe, expect, test } from 'vitest'
import { bucketOf, merge } from './bucket.ts'
import { precisionOf } from './precision.ts'
import { bucketGaps, bucketPoints, sampleGaps, samplePoints, tierFor } from './reading.ts'
import type { Sample } from './history-source.ts'
import { absent } from './series.ts'
import { dayMs, hourMs, minuteMs, quarterMs, usualKeepMs } from './tiers.ts'

const T0 = Date.UTC(2026, 0, 5)
const { percent } = precisionOf

describe('[M 3.1] the tier of a range', () => {
  test.each([
    ['an hour', hourMs, 0, 'raw'],
    ['six hours', 6 * hourMs, 0, 'raw'],
    ['a day', dayMs, 0, 'minute'],
    ['a week', 7 * dayMs, 0, 'quarter'],
    ['30 days', 30 * dayMs, 0, 'quarter'],
    ['a year', 365 * dayMs, 0, 'day'],
    ['an hour of the day before yesterday', hourMs, 2 * dayMs, 'minute'],
    ['an hour of last month', hourMs, 30 * dayMs, 'quarter'],
    ['an hour of two years ago', hourMs, 800 * dayMs, 'day'],
  ])('%s', (_name, spanMs, agoMs, tier) => {
    const to = T0 - agoMs
    expect(tierFor(to - spanMs, to, 400, T0, usualKeepMs)).toBe(tier)
  })
})

const at = (n: number) => T0 + n * 10_000
const every10s = (from: number, to: number) =>
  Array.from({ length: (to - from) / 10_000 }, (_, n) => from + n * 10_000)

const columns = (samples: readonly Sample[]) => ({
  times: samples.map((sample) => sample.at),
  values: samples.map(({ stored }) => stored),
})

test('[design 14] samples have their value, gaps are left out', () => {
  const samples = [
    { at: at(0), stored: 1_250 },
    { at: at(1), stored: absent.silent },
  ]
  expect(samplePoints(columns(samples), { from: T0, to: at(2), most: 9 }, percent)).toEqual([
    { at: at(0), count: 1, min: 12.5, mean: 12.5, max: 12.5, last: 12.5 },
  ])
})

describe('[M 2] samples of a long time', () => {
  const samples = [10, 30, 20, 40].map((value, n) => ({ at: at(n), stored: value * 100 }))
  const wanted = (seconds: number, most: number) => ({ from: T0, to: T0 + seconds * 1_000, most })

  test('are one point each while there are enough points', () => {
    const points = samplePoints(columns(samples), wanted(40, 4), percent)
    expect(points.map((point) => [point.at, point.last, point.count])).toEqual([
      [at(0), 10, 1],
      [at(1), 30, 1],
      [at(2), 20, 1],
      [at(3), 40, 1],
    ])
  })

  test('have the smallest, mean, largest and last one of each period otherwise', () => {
    expect(samplePoints(columns(samples), wanted(80, 4), percent)).toEqual([
      { at: at(0), count: 2, min: 10, mean: 20, max: 30, last: 30 },
      { at: at(2), count: 2, min: 20, mean: 30, max: 40, last: 40 },
    ])
  })

  test('all figures have their points at the same times, however seldom they are read', () => {
    const seldom = [{ at: at(1), stored: 500 }]
    expect(samplePoints(columns(seldom), wanted(80, 4), percent).map((point) => point.at)).toEqual([at(0)])
    const gap = [{ at: at(0), stored: absent.silent }]
    expect(samplePoints(columns(gap), wanted(80, 4), percent)).toEqual([])
  })
})

test('[design 14] a gap has its reason and reaches to the next sample', () => {
  const samples = [
    { at: at(0), stored: 5 },
    { at: at(1), stored: absent.silent },
    { at: at(2), stored: absent.silent },
    { at: at(3), stored: 5 },
    { at: at(4), stored: absent.stopped },
  ]
  expect(sampleGaps(columns(samples), every10s(T0, at(6)), T0, at(6))).toEqual([
    { from: at(1), to: at(3), reason: 'silent' },
    { from: at(4), to: at(6), reason: 'stopped' },
  ])
})

test('[design 14] where Pulse was off nothing else is known, whatever was before', () => {
  const samples = [
    { at: at(0), stored: absent.silent },
    { at: at(100), stored: 5 },
  ]
  const ran = [at(0), at(1), at(100), at(101)]
  expect(sampleGaps(columns(samples), ran, T0, at(102))).toEqual([
    { from: at(0), to: at(1), reason: 'silent' },
    { from: at(1), to: at(100), reason: 'off' },
  ])
})

test('[design 14] a silence through several times without Pulse is what is left between them', () => {
  const samples = [
    { at: at(0), stored: absent.silent },
    { at: at(300), stored: absent.stopped },
  ]
  const ran = [at(0), at(100), at(101), at(200), at(300), at(301)]
  expect(sampleGaps(columns(samples), ran, T0, at(302))).toEqual([
    { from: at(0), to: at(100), reason: 'off' },
    { from: at(100), to: at(101), reason: 'silent' },
    { from: at(101), to: at(200), reason: 'off' },
    { from: at(200), to: at(300), reason: 'off' },
    { from: at(300), to: at(302), reason: 'stopped' },
  ])
})

test('a source that is asked every few minutes has no gaps between its samples', () => {
  const samples = [
    { at: at(0), stored: 5 },
    { at: at(30), stored: 5 },
  ]
  expect(sampleGaps(columns(samples), every10s(T0, at(40)), T0, at(40))).toEqual([])
})

const minute = (n: number, ...stored: number[]) => ({
  start: T0 + n * minuteMs,
  bucket: merge(stored.map(bucketOf), percent)! as Exclude<ReturnType<typeof merge>, undefined>,
})

test('[M 3.1] neighbouring buckets become one point, with the smallest and the largest of all of them', () => {
  const buckets = [minute(0, 100, 300), minute(1, 500), minute(2, absent.silent), minute(5, 900)]
  const range = { from: T0, to: T0 + 6 * minuteMs, most: 2 }
  expect(bucketPoints(buckets, 'minute', range, percent)).toEqual([
    { at: T0, count: 3, min: 1, mean: 3, max: 5, last: 5 },
    { at: T0 + 3 * minuteMs, count: 1, min: 9, mean: 9, max: 9, last: 9 },
  ])
})

test('[design 14] buckets without samples are gaps with their reason, cut to the time asked for', () => {
  const buckets = [
    { start: T0, bucket: 'silent' as const },
    { start: T0 + quarterMs, bucket: 'silent' as const },
    { ...minute(0, 5), start: T0 + 2 * quarterMs },
  ]
  const hasRun = (start: number) => start < T0 + 4 * quarterMs
  expect(bucketGaps(buckets, hasRun, 'quarter', T0 + minuteMs, T0 + 5 * quarterMs)).toEqual([
    { from: T0 + minuteMs, to: T0 + 2 * quarterMs, reason: 'silent' },
    { from: T0 + 4 * quarterMs, to: T0 + 5 * quarterMs, reason: 'off' },
  ])
})
