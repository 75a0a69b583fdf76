import { expect, test } from 'vitest'
import { backoffMs, hostBackoff } from './backoff.ts'

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [6, 160_000],
  [7, 300_000],
  [1_000, 300_000],
])('[facts 1.3] after %i failures the pause is %i ms before jitter', (failures, expected) => {
  expect(backoffMs(hostBackoff, failures, () => 0.5)).toBe(expected)
})

test('[facts 1.3] jitter stays within 20 % and below the cap', () => {
  expect(backoffMs(hostBackoff, 1, () => 0)).toBe(4_000)
  expect(backoffMs(hostBackoff, 1, () => 1)).toBe(6_000)
  expect(backoffMs(hostBackoff, 20, () => 1)).toBe(300_000)
})

test('without jitter every pause is exact, and the first failure waits for the first pause', () => {
  const pauses = [0, 1, 2, 3, 4].map((failures) => backoffMs({ firstMs: 500, longestMs: 3_000 }, failures))
  expect(pauses).toEqual([500, 500, 1_000, 2_000, 3_000])
})
