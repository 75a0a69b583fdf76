import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createClockComparison } from './clock-comparison.ts'

const dayMs = 86_400_000

test('[N 2] a clock that is set while the server does not answer is wrong by as much as it was set', async () => {
  const clock = fakeClock()
  const comparison = createClockComparison(clock)
  expect(comparison.aheadMs).toBeUndefined()
  clock.step(-2 * dayMs)
  comparison.take(clock.monotonic(), clock.now() + 2 * dayMs)
  expect(comparison.aheadMs).toBe(-2 * dayMs)
  await clock.advance(3_600_000)
  expect(comparison.aheadMs).toBe(-2 * dayMs)
  clock.step(2 * dayMs)
  expect(comparison.aheadMs).toBe(0)
})

test('an answer that took long, or that has no time, says nothing', async () => {
  const clock = fakeClock()
  const comparison = createClockComparison(clock)
  const askedAt = clock.monotonic()
  await clock.advance(2_000)
  comparison.take(askedAt, clock.now() - dayMs)
  comparison.take(clock.monotonic(), undefined)
  expect(comparison.aheadMs).toBeUndefined()
})
