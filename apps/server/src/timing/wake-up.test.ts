import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { afterFaultMs, longestWaitMs, wakeUp } from './wake-up.ts'

/** What falls due at these times; a run does what the case says and takes what is due. */
function given(due: number[], run: (count: number) => void = () => {}) {
  const clock = fakeClock()
  const runs: number[] = []
  const errors: unknown[] = []
  const wake = wakeUp({
    clock,
    dueAt: () => due[0],
    run() {
      runs.push(clock.monotonic())
      run(runs.length)
      while (due[0] !== undefined && due[0] <= clock.monotonic()) due.shift()
    },
    onError: (error) => errors.push(error),
  })
  wake.plan()
  return { clock, runs, errors, wake }
}

test('it runs when something falls due, and then when the next does', async () => {
  const { clock, runs } = given([1_000, 5_000])
  await clock.advance(10_000)
  expect(runs).toEqual([1_000, 5_000])
  expect(clock.pending()).toBe(0)
})

test('a run that throws is reported, and comes again after a pause', async () => {
  const { clock, runs, errors } = given([1_000, 5_000], (count) => {
    if (count === 1) throw new Error('broken')
  })
  await clock.advance(10_000)
  expect(errors).toEqual([new Error('broken')])
  expect(runs).toEqual([1_000, 1_000 + afterFaultMs, 5_000])
})

test('what falls due earlier than was planned is taken at its time, what falls due in weeks is waited for in hours', async () => {
  const due = [30 * 24 * longestWaitMs]
  const { clock, runs, wake } = given(due)
  due.unshift(2_000)
  wake.plan()
  await clock.advance(longestWaitMs)
  expect(runs).toEqual([2_000])
  await clock.advance(longestWaitMs)
  expect(runs).toHaveLength(2)
  wake.stop()
  wake.plan()
  expect(clock.pending()).toBe(0)
})
