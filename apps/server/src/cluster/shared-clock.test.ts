import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { sharedClock } from './shared-clock.ts'

test.each([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
])('[N 2] a process whose clock is an hour %s has the time of the database', (_what, aheadMs) => {
  const clock = fakeClock()
  const database = clock.now()
  clock.step(aheadMs)
  expect(sharedClock(clock, () => aheadMs).now()).toBe(database)
})

test('one that does not know the time of the database, or is almost right, has its own', () => {
  const clock = fakeClock()
  for (const aheadMs of [undefined, 999, -999])
    expect(sharedClock(clock, () => aheadMs).now()).toBe(clock.now())
})
