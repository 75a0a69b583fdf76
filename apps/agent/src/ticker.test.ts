import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { startTicker } from './ticker.ts'

function aTicker(takesMs: () => number) {
  const clock = fakeClock()
  const at: number[] = []
  let hung = 0
  const stop = startTicker({
    clock,
    intervalMs: 30_000,
    limitMs: 300_000,
    run: () => {
      at.push(clock.monotonic())
      return new Promise((resolve) => void clock.after(takesMs(), resolve))
    },
    hung: () => hung++,
  })
  return { clock, at, stop, hung: () => hung }
}

test('it runs at once and then at each interval, however long a run takes', async () => {
  const { clock, at, hung } = aTicker(() => 7_000)
  await clock.advance(95_000)
  expect(at).toEqual([0, 30_000, 60_000, 90_000])
  expect(hung()).toBe(0)
})

test('a run that takes longer than the interval skips ticks, and never overlaps with another', async () => {
  const { clock, at } = aTicker(() => 70_000)
  await clock.advance(200_000)
  expect(at).toEqual([0, 90_000, 180_000])
})

test('[facts 6.7] a run that hangs is noticed after its limit', async () => {
  const { clock, hung } = aTicker(() => 1e9)
  await clock.advance(299_999)
  expect(hung()).toBe(0)
  await clock.advance(1)
  expect(hung()).toBe(1)
})

test('after a stop it does not run again', async () => {
  const { clock, at, stop } = aTicker(() => 1)
  await clock.advance(1_000)
  stop()
  await clock.advance(100_000)
  expect(at).toEqual([0])
  expect(clock.pending()).toBe(0)
})
