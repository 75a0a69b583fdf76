import { expect, test } from 'vitest'
import { dateClock } from './date-clock.ts'
import { dayMs, hourMs } from './fixtures.ts'

const at = (monotonic: number, step = 0) => ({ now: 1e12 + monotonic + step, monotonic })

test('[R20] a step of the clock is followed after a day', () => {
  const dateOf = dateClock(at(0))
  for (const step of [3 * dayMs, -3 * dayMs, hourMs]) {
    expect(dateOf(at(hourMs, step))).toBe(1e12 + hourMs)
    expect(dateOf(at(20 * hourMs, step))).toBe(1e12 + 20 * hourMs)
  }
  expect(dateOf(at(21 * hourMs, hourMs))).toBe(1e12 + 21 * hourMs)
  expect(dateOf(at(45 * hourMs, hourMs))).toBe(1e12 + 46 * hourMs)
})

test('a correction of less than a minute is followed at once', () => {
  const dateOf = dateClock(at(0))
  expect(dateOf(at(1000, 500))).toBe(1e12 + 1500)
  expect(dateOf(at(2000, -40_000))).toBe(1e12 - 38_000)
})
