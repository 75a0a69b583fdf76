import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createDueTimer, longestWaitMs, retryAfterErrorMs } from './due-timer.ts'

/**
 * A timer for these deadlines. Each run executes the test's function, then removes the deadlines that have
 * passed.
 */
function given(due: number[], run: (count: number) => void = () => {}) {
  const clock = fakeClock()
  const runs: number[] = []
  const errors: unknown[] = []
  const timer = createDueTimer({
    clock,
    dueAt: () => due[0],
    run() {
      runs.push(clock.monotonic())
      run(runs.length)
      while (due[0] !== undefined && due[0] <= clock.monotonic()) due.shift()
    },
    onError: (error) => errors.push(error),
  })
  timer.reschedule()
  return { clock, runs, errors, timer }
}

test('it runs at each deadline, and no timer is left after the last', async () => {
  const { clock, runs } = given([1_000, 5_000])
  await clock.advance(10_000)
  expect(runs).toEqual([1_000, 5_000])
  expect(clock.pending()).toBe(0)
})

test('a run that throws is reported and retried after a second', async () => {
  const { clock, runs, errors } = given([1_000, 5_000], (count) => {
    if (count === 1) throw new Error('broken')
  })
  await clock.advance(10_000)
  expect(errors).toEqual([new Error('broken')])
  expect(runs).toEqual([1_000, 1_000 + retryAfterErrorMs, 5_000])
})

test('an earlier deadline moves the timer; a deadline in weeks is reached in steps of an hour', async () => {
  const due = [30 * 24 * longestWaitMs]
  const { clock, runs, timer } = given(due)
  due.unshift(2_000)
  timer.reschedule()
  await clock.advance(longestWaitMs)
  expect(runs).toEqual([2_000])
  await clock.advance(longestWaitMs)
  expect(runs).toHaveLength(2)
  timer.stop()
  timer.reschedule()
  expect(clock.pending()).toBe(0)
})
