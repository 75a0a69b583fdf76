import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createSuspendDetector } from './suspend-detector.ts'

const MINUTES_5 = 300_000

function held(ms: number) {
  const time = fakeClock()
  const { clock, judged } = createSuspendDetector(time)
  clock.after(1_000, () => {})
  time.suspend(ms)
  return { time, judged }
}

test('after a hold-up of five minutes nothing is older than before it, for as long as an answer takes', async () => {
  const { time, judged } = held(MINUTES_5)
  expect(judged()).toBe(MINUTES_5)
  await time.advance(1)
  expect(judged()).toBeLessThan(2_000)
  await time.advance(4_000)
  expect(judged()).toBeLessThan(6_000)
  await time.advance(1_000)
  expect(judged()).toBe(time.monotonic())
})

test('a busy machine, whose timers are some seconds late, is no hold-up', async () => {
  const { time, judged } = held(9_000)
  await time.advance(1)
  expect(judged()).toBe(time.monotonic())
})

test('a cancelled timer runs not, and says nothing', async () => {
  const time = fakeClock()
  const { clock, judged } = createSuspendDetector(time)
  clock.after(1_000, () => expect.fail('it was cancelled'))()
  time.suspend(MINUTES_5)
  await time.advance(1)
  expect(judged()).toBe(time.monotonic())
})

test('a timer that had an hour to go when the machine fell asleep says nothing when it runs, an hour after the others', async () => {
  const time = fakeClock()
  const { clock, judged } = createSuspendDetector(time)
  const everyTenSeconds = (): void => void clock.after(10_000, everyTenSeconds)
  everyTenSeconds()
  clock.after(3_600_000, () => {})
  time.sleep(8 * 3_600_000)
  await time.advance(10_000)
  expect(judged()).toBeLessThan(time.monotonic())
  await time.advance(3_590_001)
  expect(judged()).toBe(time.monotonic())
})
