import { expect, test } from 'vitest'
import { formatDaysHours, formatQueueAge } from './node-columns.tsx'

test.each([
  [0, '0m'],
  [59, '0m'],
  [600, '10m'],
  [3599, '59m'],
  [3600, '1h 0m'],
  [7500, '2h 5m'],
  [100_000, '27h 46m'],
])('[spec 1 §9] a mail of %i seconds is %s old', (seconds, text) => {
  expect(formatQueueAge(seconds)).toBe(text)
})

test.each([
  [undefined, '—'],
  [0, '—'],
  [1800, '0h'],
  [86_399, '23h'],
  [86_400, '1d 0h'],
  [20 * 86_400 + 4 * 3600, '20d 4h'],
])('[spec 1 §9] an uptime of %s seconds is %s: days and hours', (seconds, text) => {
  expect(formatDaysHours(seconds)).toBe(text)
})
