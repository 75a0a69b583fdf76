import { describe, expect, test } from 'vitest'
import { dayOf } from '../../lib/days.ts'
import { lastDays, noonOf } from '../../parts/backups/backup-row.ts'
import { barLevel, CHART_HEIGHT, defaultRange, gridLines, labelledDays, ranges } from './chart-scale.ts'

test('[spec 1 §9] ranges 7, 30 (default), 90 and 365 days; height 128', () => {
  expect(ranges.map(({ label }) => label)).toEqual(['7d', '30d', '90d', '1y'])
  expect(ranges.map(({ value }) => Number(value))).toEqual([7, 30, 90, 365])
  expect([defaultRange, CHART_HEIGHT]).toEqual(['30', 128])
})

test.each([
  [0, 'none'],
  [1, 'few'],
  [5, 'few'],
  [6, 'some'],
  [10, 'some'],
  [11, 'many'],
])('[spec 1 §9] %i backups a day: %s', (count, level) => expect(barLevel(count)).toBe(level))

test.each([
  [0, [1]],
  [1, [1]],
  [3, [1, 2, 3]],
  [5, [1, 2, 3, 4, 5]],
  [6, [2, 4, 6]],
  [11, [5, 10, 15]],
  [48, [10, 20, 30, 40, 50]],
  [137, [50, 100, 150]],
  [51_234, [20_000, 40_000, 60_000]],
])('[spec 1 §9] up to 5 grid lines: %i is below %o', (most, lines) => {
  expect(gridLines(most)).toEqual(lines)
})

describe('[spec 1 §2] labels of the days', () => {
  const days = (count: number) => lastDays(count, new Date(2026, 0, 15, 3).getTime()).map(noonOf)
  const labels = (count: number) => labelledDays(days(count)).map((at) => days(count)[at]!)

  test('up to 7 days every day', () => expect(labels(7)).toHaveLength(7))

  test('up to 30 about 10, today among them', () => {
    expect(labels(30)).toHaveLength(10)
    expect(dayOf(labels(30).at(-1)!.getTime())).toBe('2026-01-15')
  })

  test('up to 90 every Sunday', () => {
    expect(labels(90).map((day) => day.getDay())).toEqual(Array.from({ length: labels(90).length }, () => 0))
    expect(labels(90).length).toBeGreaterThanOrEqual(12)
  })

  test('beyond that the 1st of each month', () => {
    expect(labels(365).map((day) => day.getDate())).toEqual(Array.from({ length: 12 }, () => 1))
  })
})

test('the days of a range follow one another, whatever the clocks do, and end today', () => {
  for (const month of [2, 9]) {
    const days = lastDays(90, new Date(2026, month, 31, 23, 30).getTime())
    expect(new Set(days).size).toBe(90)
    expect(days.at(-1)).toBe(dayOf(new Date(2026, month, 31, 23, 30).getTime()))
    expect(days).toEqual(days.toSorted())
  }
})
