import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createProcessRates, writtenBytes } from './process-rates.ts'

test('[M 1.1] calls per minute and bytes per second, since the reading before', () => {
  const clock = fakeClock(0)
  const rates = createProcessRates(clock)
  expect(rates(100, 5_000)).toEqual({})
  clock.suspend(10_000)
  expect(rates(160, 25_000)).toEqual({ callsPerMinute: 360, writtenPerSecond: 2_000 })
})

test('a reading too soon after another repeats its rates', () => {
  const clock = fakeClock(0)
  const rates = createProcessRates(clock)
  rates(100, undefined)
  clock.suspend(10_000)
  const first = rates(160, undefined)
  clock.suspend(100)
  expect(rates(161, undefined)).toEqual(first)
  expect(first).toEqual({ callsPerMinute: 360 })
})

test('a connection that was removed leaves no negative rate', () => {
  const clock = fakeClock(0)
  const rates = createProcessRates(clock)
  rates(100, 5_000)
  clock.suspend(10_000)
  expect(rates(10, 5_000)).toEqual({ writtenPerSecond: 0 })
})

test('where the system does not count what was written, nothing is known', () => {
  expect(writtenBytes('/nowhere')).toBeUndefined()
})
