import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { wallOffset } from './wall.ts'

test.each([3_600_000, -3_600_000, 3 * 86_400_000, -3 * 86_400_000])(
  '[R20] a moment keeps its age when the wall clock is set by %i ms',
  async (step) => {
    const clock = fakeClock()
    const offset = wallOffset(clock)
    await clock.advance(5_000)
    const at = clock.monotonic()
    await clock.advance(7_000)
    clock.step(step)
    expect(clock.now() - (at + offset())).toBe(7_000)
  },
)

test('corrections of less than a second do not change shown times', () => {
  const clock = fakeClock()
  const offset = wallOffset(clock)
  const before = offset()
  clock.step(600)
  expect(offset()).toBe(before)
  clock.step(600)
  expect(offset()).toBe(before + 1_200)
})

test('time spent suspended passes on both clocks', () => {
  const clock = fakeClock()
  const offset = wallOffset(clock)
  const before = offset()
  clock.suspend(86_400_000)
  expect(offset()).toBe(before)
})
