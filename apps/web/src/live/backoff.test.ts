import { expect, test } from 'vitest'
import { backoff, reconnectDelay } from './backoff.ts'

test.each([
  { attempt: 1, wait: 1_000, extra: 0 },
  { attempt: 2, wait: 2_000, extra: 100 },
  { attempt: 3, wait: 4_000, extra: 200 },
  { attempt: 5, wait: 16_000, extra: 400 },
  { attempt: 6, wait: 30_000, extra: 500 },
  { attempt: 11, wait: 30_000, extra: 1_000 },
  { attempt: 200, wait: 30_000, extra: 1_000 },
])('[spec 1 §9] attempt $attempt waits at most $wait ms and $extra ms more', ({ attempt, wait, extra }) => {
  expect(reconnectDelay(attempt, 0)).toBe(wait + extra)
})

test('jitter only shortens the wait, by a fifth at most', () => {
  expect(reconnectDelay(3, 1)).toBe(4_000 * (1 - backoff.jitter) + 200)
})
