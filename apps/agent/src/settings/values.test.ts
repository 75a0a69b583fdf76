import { expect, test } from 'vitest'
import { parseDuration } from './values.ts'

test.each([
  ['30s', 30_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
  ['45', 45_000],
  [' 2m ', 120_000],
])('[facts 3.7] %j is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(['', 'soon', '5 minutes', '-5s', '1d', '30s!', '1e3s'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})
