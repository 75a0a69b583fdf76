import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createThrottle, type ThrottleOptions } from './throttle.ts'

function given(options: Partial<ThrottleOptions>) {
  const clock = fakeClock()
  const runs: number[] = []
  const errors: unknown[] = []
  const { run = () => {}, ...rest } = options
  const throttle = createThrottle({
    clock,
    run: () => {
      runs.push(clock.monotonic())
      return run()
    },
    onError: (error) => errors.push(error),
    ...rest,
  })
  return { clock, runs, errors, throttle }
}

test('the first call runs at once, all calls within the gap run once at its end', async () => {
  const { clock, runs, throttle } = given({ gapMs: 100 })
  for (let n = 0; n < 3; n++) throttle.call()
  await clock.advance(50)
  throttle.call()
  await clock.advance(500)
  throttle.call()
  expect(runs).toEqual([0, 100, 550])
  expect(clock.pending()).toBe(0)
})

test('with a delay a burst runs once, and a burst that goes on does not put the run off', async () => {
  const { clock, runs, throttle } = given({ delayMs: 100 })
  for (let n = 0; n < 15; n++) {
    throttle.call()
    await clock.advance(10)
  }
  await clock.advance(500)
  expect(runs).toEqual([100, 200])
})

test('a call during a run runs after it, and no two runs overlap', async () => {
  const end = Promise.withResolvers<void>()
  const { clock, runs, throttle } = given({ gapMs: 100, run: () => end.promise })
  throttle.call()
  await clock.advance(300)
  throttle.call()
  await clock.advance(300)
  expect(runs).toEqual([0])
  end.resolve()
  await clock.advance(0)
  expect(runs).toEqual([0, 600])
})

test('no gap follows a run that did nothing', async () => {
  const { clock, runs, throttle } = given({ gapMs: 60_000, delayMs: 10, run: async () => false })
  throttle.call()
  await clock.advance(10)
  throttle.call()
  await clock.advance(10)
  expect(runs).toEqual([10, 20])
})

test('flush runs what is scheduled and waits for it; cancel drops it', async () => {
  let ended = 0
  const { clock, runs, throttle } = given({ delayMs: 100, run: async () => void ended++ })
  await throttle.flush()
  expect(runs).toEqual([])
  throttle.call()
  await throttle.flush()
  expect([runs, ended, clock.pending()]).toEqual([[0], 1, 0])
  throttle.call()
  throttle.cancel()
  await clock.advance(1_000)
  expect(runs).toHaveLength(1)
})

test('an exception and a rejection are reported, and later calls still run', async () => {
  let count = 0
  const { clock, runs, errors, throttle } = given({
    gapMs: 100,
    run() {
      count++
      if (count === 1) throw new Error('thrown')
      if (count === 2) return Promise.reject(new Error('rejected'))
      return undefined
    },
  })
  for (let n = 0; n < 3; n++) {
    throttle.call()
    await clock.advance(100)
  }
  expect(errors).toEqual([new Error('thrown'), new Error('rejected')])
  expect(runs).toHaveLength(3)
})
