import { expect, test } from 'vitest'
import { exponentialBackoffMs } from './backoff.ts'

test.each([
  [0, 500],
  [1, 500],
  [2, 1_000],
  [3, 2_000],
  [4, 3_000],
  [1_000_000, 3_000],
])('after %i failures the pause is %i ms: doubled each time, up to the longest', (failures, expected) => {
  expect(exponentialBackoffMs({ firstMs: 500, longestMs: 3_000 }, failures)).toBe(expected)
})
