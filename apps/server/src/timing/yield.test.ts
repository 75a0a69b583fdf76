import { expect, test } from 'vitest'
import { createTimeSlice, runYielding, yieldToEventLoop } from './yield.ts'

/** Calls back once per iteration of the event loop, until the returned function is called. */
function eachTurn(run: () => void): () => void {
  let next = setImmediate(turn)
  function turn() {
    run()
    next = setImmediate(turn)
  }
  return () => clearImmediate(next)
}

test('[design 9] of many jobs that work in steps one takes one step per turn of the loop, in the order of their calls', async () => {
  let runExclusive = 0
  let most = 0
  const taken: number[] = []
  const stop = eachTurn(() => (runExclusive = 0))
  await yieldToEventLoop()
  function* work(job: number) {
    for (let step = 0; step < 3; step++) {
      yield
      taken.push(job)
      most = Math.max(most, ++runExclusive)
    }
  }
  await Promise.all([0, 1, 2, 3, 4].map((job) => runYielding(work(job))))
  stop()
  expect(most).toBe(1)
  expect(taken).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
})

test('a job that throws does not stop the others', async () => {
  const failing = yieldToEventLoop().then(() => {
    throw new Error('a fault')
  })
  const other = yieldToEventLoop().then(() => 'goes on')
  await expect(failing).rejects.toThrow('a fault')
  expect(await other).toBe('goes on')
})

test('a time slice yields only when it is used up', async () => {
  const yieldIfDue = createTimeSlice(1_000)
  expect(yieldIfDue()).toBeUndefined()
  const usedUp = createTimeSlice(0)
  let turns = 0
  const stop = eachTurn(() => turns++)
  await usedUp()
  stop()
  expect(turns).toBeGreaterThan(0)
})
