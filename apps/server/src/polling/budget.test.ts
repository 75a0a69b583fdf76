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

test('a call that was not made is given back', () => {
  const budget = new Budget(fakeClock())
  budget.limit('pve1', 1)
  budget.take('pve1')
  budget.giveBack('pve1')
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

test('a clock that is set back an hour does not withhold calls for an hour', async () => {
  const clock = fakeClock()
  let offset = 0
  const budget = new Budget({ ...clock, now: () => clock.now() + offset })
  budget.limit('key', 1)
  budget.take('key')
  offset = -3_600_000
  expect(budget.take('key')).toBe(0)
  expect(budget.take('key')).toBeLessThanOrEqual(60_000)
})
