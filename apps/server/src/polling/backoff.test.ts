import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test.each([
  [1, 5_000],
  [2, 10_000],
  [3, 20_000],
  [6, 160_000],
  [7, 300_000],
  [1_000, 300_000],
])('[facts 1.3] after %i failures the pause is %i ms before jitter', (failures, expected) => {
  expect(backoffMs(failures, () => 0.5)).toBe(expected)
})

test('[facts 1.3] jitter stays within 20 % and below the cap', () => {
  expect(backoffMs(1, () => 0)).toBe(4_000)
  expect(backoffMs(1, () => 1)).toBe(6_000)
  expect(backoffMs(20, () => 1)).toBe(300_000)
})
