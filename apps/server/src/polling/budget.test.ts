import { fakeClock } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Budget } from './budget.ts'

test('a call beyond the limit waits until the oldest one is a minute old', async () => {
  const clock = fakeClock()
  const budget = new Budget(clock)
  budget.limit('cluster', 2)
  expect(budget.take('cluster')).toBe(0)
  await clock.advance(20_000)
  expect(budget.take('cluster')).toBe(0)
  expect(budget.take('cluster')).toBe(40_000)
  await clock.advance(40_000)
  expect(budget.take('cluster')).toBe(0)
  expect(budget.count('cluster')).toBe(2)
})

test('deferrals are counted, by key; a few milliseconds at the edge of the minute are none', async () => {
  const clock = fakeClock()
  const budget = new Budget(clock)
  budget.limit('pve1', 1)
  budget.take('pve1')
  budget.take('pve1')
  await clock.advance(59_900)
  expect(budget.take('pve1')).toBe(100)
  expect([budget.deferred('pve1'), budget.deferred('pve2')]).toEqual([1, 0])
})

test('without a limit nothing may go out', () => {
  expect(new Budget(fakeClock()).take('unknown')).toBe(60_000)
})

test('a call that was not made is refunded', () => {
  const budget = new Budget(fakeClock())
  budget.limit('pve1', 1)
  budget.take('pve1')
  budget.refund('pve1')
  expect(budget.take('pve1')).toBe(0)
})

test('in no minute do more calls go out than allowed, whatever is asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 80 }),
      async (limit, pauses) => {
        const clock = fakeClock(0)
        const budget = new Budget(clock)
        budget.limit('key', limit)
        const made: number[] = []
        for (const pause of pauses) {
          await clock.advance(pause)
          if (budget.take('key') === 0) made.push(clock.now())
        }
        for (const end of made) {
          const inMinute = made.filter((at) => at > end - 60_000 && at <= end).length
          expect(inMinute).toBeLessThanOrEqual(limit)
        }
      },
    ),
    { numRuns: 30 },
  )
})

test.each([3_600_000, -3_600_000, 3 * 86_400_000, -3 * 86_400_000])(
  '[R20] the wall clock is set by %i ms: neither more calls nor fewer',
  async (step) => {
    const clock = fakeClock()
    const budget = new Budget(clock)
    budget.limit('key', 1)
    budget.take('key')
    await clock.advance(20_000)
    clock.step(step)
    expect(budget.take('key')).toBe(40_000)
    await clock.advance(40_000)
    expect(budget.take('key')).toBe(0)
  },
)

test('[R20] after a day of sleep the minute is over', () => {
  const clock = fakeClock()
  const budget = new Budget(clock)
  budget.limit('key', 1)
  budget.take('key')
  clock.suspend(86_400_000)
  expect(budget.take('key')).toBe(0)
})
