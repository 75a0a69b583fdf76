import { expect, test } from 'vitest'
import { RetentionClock } from './retention-clock.ts'
import { dayMs, hourMs } from './tiers.ts'

const T0 = Date.UTC(2026, 0, 5)
const T2099 = Date.UTC(2099, 0, 1)

test('[M 4] it is the wall clock, while that is right', () => {
  const clock = new RetentionClock(T0, 0)
  for (let hour = 0; hour < 100; hour++)
    expect(clock.now(T0 + hour * hourMs, hour * hourMs)).toBe(T0 + hour * hourMs)
})

test('[M 4] a wall clock in the wrong century gives up no more than a day of the past per hour', () => {
  const clock = new RetentionClock(T0, 0)
  expect(clock.now(T2099, 60_000)).toBe(T0 + 24 * 60_000)
  expect(clock.now(T2099, hourMs)).toBe(T0 + dayMs)
  // the clock is set right
  expect(clock.now(T0 + 2 * hourMs, 2 * hourMs)).toBe(T0 + 2 * hourMs)
})

test('[M 4] a restart with a wrong clock is no way around it', () => {
  let trusted = T0
  for (let start = 0; start < 50; start++) {
    const clock = new RetentionClock(trusted, 0)
    clock.now(T2099, 0)
    clock.now(T2099, 60_000)
    trusted = clock.trusted
  }
  expect(trusted).toBe(T0 + 50 * 24 * 60_000)
})

test('[M 1.2] after a week without Pulse it is right within seven hours', () => {
  const clock = new RetentionClock(T0, 0)
  const back = T0 + 7 * dayMs
  expect(clock.now(back, 0)).toBe(T0)
  expect(clock.now(back + 7.5 * hourMs, 7.5 * hourMs)).toBe(back + 7.5 * hourMs)
})

test('[M 4] a wall clock that is behind for a while deletes nothing, and costs nothing later', () => {
  const clock = new RetentionClock(T0, 0)
  expect(clock.now(0, 1_000)).toBe(0)
  expect(clock.now(T0 + 2_000, 2_000)).toBe(T0 + 2_000)
})
