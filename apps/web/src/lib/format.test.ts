import { describe, expect, test } from 'vitest'
import {
  bytesParts,
  formatBytes,
  formatClock,
  formatNumber,
  formatPercent,
  formatRate,
  formatRelative,
  formatSpan,
  formatTemperature,
  formatUptime,
  MISSING,
  rateParts,
} from './format.ts'

const KB = 1024
const GB = KB ** 3

test.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1,023 B'],
  [1024, '1 KB'],
  [1536, '2 KB'],
  [KB ** 2, '1 MB'],
  [1.55 * KB ** 2, '1.6 MB'],
  [99.94 * KB ** 2, '99.9 MB'],
  [512.4 * KB ** 2, '512 MB'],
  [1023.49 * KB ** 2, '1,023 MB'],
  [1023.5 * KB ** 2, '1 GB'],
  [1023.7 * KB ** 2, '1 GB'],
  [7.5 * GB, '7.5 GB'],
  [2 * KB ** 4, '2 TB'],
  [3.25 * KB ** 5, '3.3 PB'],
  [5000 * KB ** 5, '5,000 PB'],
  [-5, '0 B'],
])('[spec 1 §5] %d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en-US')).toBe(text)
})

test('[spec 1 §5] figures follow the locale', () => {
  expect(formatBytes(1.5 * GB, 'de-DE')).toBe('1,5 GB')
  expect(formatPercent(12.34, 'de-DE')).toBe('12,3%')
  expect(formatNumber(1234567, 'en-US')).toBe('1,234,567')
})

test.each([
  [0, '0.0%'],
  [12.34, '12.3%'],
  [12.35, '12.4%'],
  [100, '100.0%'],
])('[spec 1 §5] %d percent is %s', (percent, text) => {
  expect(formatPercent(percent, 'en-US')).toBe(text)
})

test('rates are bytes per second', () => {
  expect(formatRate(2.5 * KB ** 2, 'en-US')).toBe('2.5 MB/s')
  expect(rateParts(0, 'en-US')).toEqual({ figure: '0', unit: 'B/s' })
  expect(bytesParts(undefined)).toEqual({ figure: MISSING, unit: '' })
})

test.each([
  [1, '1s'],
  [59.9, '59s'],
  [60, '1m'],
  [3599, '59m'],
  [3600, '1h 0m'],
  [86_399, '23h 59m'],
  [86_400, '1d 0h'],
  [12 * 86_400 + 4 * 3600 + 59 * 60, '12d 4h'],
  [400 * 86_400, '400d 0h'],
  [0, '—'],
  [-3, '—'],
])('[spec 1 §9] an uptime of %d s is %s', (seconds, text) => {
  expect(formatUptime(seconds)).toBe(text)
})

describe('[spec 1 §5] relative times', () => {
  const now = Date.UTC(2026, 0, 1)
  const day = 86_400
  test.each([
    [0, 'now'],
    [1, '1 second ago'],
    [59, '59 seconds ago'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [2 * 3_600, '2 hours ago'],
    [day, 'yesterday'],
    [6 * day, '6 days ago'],
    [14 * day, '2 weeks ago'],
    [61 * day, '2 months ago'],
    [365 * day, 'last year'],
    [800 * day, '2 years ago'],
    [-30, 'now'],
  ])('%d s ago is "%s"', (seconds, text) => {
    expect(formatRelative(now - seconds * 1000, now, 'en-US')).toBe(text)
  })
})

test('[spec 1 §2] the clock has twelve hours and seconds', () => {
  const afternoon = new Date(2026, 0, 1, 15, 4, 5).getTime()
  expect(formatClock(afternoon)).toBe('3:04:05 PM')
  expect(formatClock(new Date(2026, 0, 1, 0, 30, 9).getTime())).toBe('12:30:09 AM')
  expect(formatClock(new Date(2026, 0, 1, 12).getTime())).toBe('12:00:00 PM')
})

test.each([undefined, null, Number.NaN, Infinity])('[spec 1 §5] %s shows —', (missing) => {
  const texts = [
    formatBytes(missing),
    formatRate(missing),
    formatPercent(missing),
    formatNumber(missing),
    formatUptime(missing),
    formatRelative(missing, 0),
    formatClock(missing),
    formatTemperature(missing),
  ]
  expect(new Set(texts)).toEqual(new Set(['—']))
})

test('temperatures are whole degrees', () => {
  expect(formatTemperature(61.6, 'en-US')).toBe('62°C')
})

test.each([
  [0.4, '0 s'],
  [45, '45 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [86_400 * 12.5, '12 d'],
])('%d seconds last %s', (seconds, text) => {
  expect(formatSpan(seconds)).toBe(text)
})
