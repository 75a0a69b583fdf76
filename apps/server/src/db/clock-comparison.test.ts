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

test('[N 2] a slow answer counts until there is a fast one; one without a time says nothing', async () => {
  const clock = fakeClock()
  const comparison = createClockComparison(clock)
  const answer = async (afterMs: number, aheadMs: number) => {
    const askedAt = clock.monotonic()
    await clock.advance(afterMs)
    comparison.take(askedAt, clock.now() - aheadMs)
    return comparison.aheadMs
  }
  comparison.take(clock.monotonic(), undefined)
  expect(comparison.aheadMs).toBeUndefined()
  // the process was stopped meanwhile
  expect(await answer(3_600_000, dayMs)).toBeUndefined()
  expect(await answer(5_000, dayMs)).toBe(dayMs)
  expect(await answer(1_999, dayMs + 3_000)).toBe(dayMs + 3_000)
  expect(await answer(2_000, dayMs)).toBe(dayMs + 3_000)
})
