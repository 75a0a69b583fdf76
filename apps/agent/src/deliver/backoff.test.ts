import { expect, test } from 'vitest'
import { backOffMs, retryAfterMs } from './backoff.ts'

test('[R17] the wait doubles with each failure, at most five minutes, and jitter shortens it by up to half', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backOffMs(failures, undefined, () => 1))
  expect(longest).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  expect(backOffMs(7, undefined, () => 0)).toBe(150_000)
})

test('a server may ask for a longer wait, up to an hour', () => {
  expect(backOffMs(1, 120_000, () => 0)).toBe(120_000)
  expect(backOffMs(1, 1e9, () => 0)).toBe(3_600_000)
  expect(
    backOffMs(7, 1_000, () => 1),
    'but not to come sooner than after that many failures',
  ).toBe(300_000)
})

test.each([
  ['30', 30_000],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, ms) => {
  expect(retryAfterMs(header)).toBe(ms)
})
