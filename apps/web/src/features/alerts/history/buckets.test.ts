import { describe, expect, test } from 'vitest'
import { barHeight, bucketLabel, labelledBuckets, toBuckets } from './buckets.ts'

const HOUR = 3_600_000
const now = Date.UTC(2026, 0, 31, 12)
const ago = (hours: number, level = 'warning') => ({ startedAt: now - hours * HOUR, level })

describe('[spec 3 §9] the chart of the history', () => {
  test.each([
    { period: '24h', hours: 1, count: 24 },
    { period: '7d', hours: 6, count: 28 },
    { period: '30d', hours: 24, count: 30 },
  ] as const)('$period has $count buckets of $hours h that end now', ({ period, hours, count }) => {
    const { buckets, ...rest } = toBuckets([], period, now)
    expect(rest.hours).toBe(hours)
    expect(buckets).toHaveLength(count)
    expect(buckets.at(-1)!.end).toBe(now)
    expect(buckets[0]!.end - buckets[0]!.start).toBe(hours * HOUR)
  })

  test.each([
    { oldest: 0.2, hours: 1, count: 1 },
    { oldest: 29.5, hours: 1, count: 30 },
    { oldest: 31, hours: 2, count: 16 },
    { oldest: 24 * 30, hours: 24, count: 30 },
    { oldest: 24 * 31, hours: 48, count: 16 },
    { oldest: 24 * 365, hours: 336, count: 27 },
    { oldest: 24 * 365 * 20, hours: 1_440, count: 30 },
  ])('all of $oldest h is $count buckets of $hours h', ({ oldest, hours, count }) => {
    const found = toBuckets([ago(oldest), ago(0.1)], 'all', now)
    expect([found.hours, found.buckets.length]).toEqual([hours, count])
  })

  test('counts warnings and critical alerts by when they started', () => {
    const { buckets } = toBuckets(
      [ago(0.5), ago(0.5, 'critical'), ago(23.5, 'critical'), ago(40)],
      '24h',
      now,
    )
    const counts = buckets.map(({ warning, critical }) => [warning, critical])
    expect(counts.at(-1)).toEqual([1, 1])
    expect(counts[0]).toEqual([0, 1])
    expect(
      counts
        .slice(1, -1)
        .flat()
        .every((count) => count === 0),
    ).toBe(true)
  })

  test('what a clock ahead of ours says is in the last one', () => {
    expect(toBuckets([ago(-1)], '24h', now).buckets.at(-1)!.warning).toBe(1)
  })

  test.each([
    [1, '1 hour(s)'],
    [6, '6 hour(s)'],
    [24, '1 day(s)'],
    [168, '7 day(s)'],
  ])('a bucket of %i h reads %s', (hours, label) => {
    expect(bucketLabel(hours)).toBe(label)
  })

  test('bars are logarithmic, and 8 px at least', () => {
    expect(barHeight(0, 1_000, 100)).toBe(0)
    expect(barHeight(1, 100_000, 100)).toBe(8)
    expect(barHeight(99, 9_999, 100)).toBe(50)
    expect(barHeight(9_999, 9_999, 100)).toBe(100)
  })

  test('about five of them are named', () => {
    expect(labelledBuckets(3)).toEqual([0, 1, 2])
    expect(labelledBuckets(24)).toEqual([0, 6, 12, 17, 23])
  })
})
