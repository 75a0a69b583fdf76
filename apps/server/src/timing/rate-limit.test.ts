import { fakeClock } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SlidingWindow, slidingWindows, tokenBuckets } from './rate-limit.ts'

const windowMs = 60_000

describe('a sliding window', () => {
  test('in no window are there more than the limit, and the wait it names is exact', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 }),
        async (limit, pauses) => {
          const clock = fakeClock(0)
          const window = new SlidingWindow(clock, windowMs)
          const admitted: number[] = []
          for (const pause of pauses) {
            await clock.advance(pause)
            const before = window.waitMs(limit)
            const waitMs = window.take(limit)
            expect(waitMs).toBe(before)
            if (waitMs === 0) admitted.push(clock.monotonic())
            else expect(waitMs).toBe(admitted.at(-limit)! + windowMs - clock.monotonic())
            const recent = admitted.filter((at) => at > clock.monotonic() - windowMs)
            expect(window.count()).toBe(recent.length)
            expect(recent.length).toBeLessThanOrEqual(limit)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  test('a limit may change from call to call; one of 0 admits nothing', async () => {
    const clock = fakeClock()
    const window = new SlidingWindow(clock, windowMs)
    for (let n = 0; n < 3; n++) {
      expect(window.take(5)).toBe(0)
      await clock.advance(1_000)
    }
    expect(window.waitMs(3)).toBe(57_000)
    expect(window.waitMs(1)).toBe(59_000)
    expect(window.waitMs(0)).toBe(windowMs)
    expect(window.take(Infinity)).toBe(0)
  })

  test('refunding uncounts the newest, and no more than there are', async () => {
    const clock = fakeClock()
    const window = new SlidingWindow(clock, windowMs)
    window.take(1)
    window.refund()
    window.refund()
    expect([window.take(1), window.take(1)]).toEqual([0, windowMs])
  })

  test.each([3_600_000, -3_600_000])('[R20] ignores a step of the wall clock by %i ms', async (step) => {
    const clock = fakeClock()
    const window = new SlidingWindow(clock, windowMs)
    window.take(1)
    clock.step(step)
    expect(window.waitMs(1)).toBe(windowMs)
  })

  test('[R18] of more keys than allowed, the one unused for longest is dropped', () => {
    const windowOf = slidingWindows(fakeClock(), { windowMs, keys: 2 })
    windowOf('a').take(1)
    windowOf('b').take(1)
    windowOf('a').count()
    windowOf('c').take(1)
    expect(['a', 'c', 'b'].map((key) => windowOf(key).count())).toEqual([1, 1, 0])
  })
})

describe('a token bucket', () => {
  const make = () => {
    const clock = fakeClock()
    return { clock, buckets: tokenBuckets(clock, { burst: 100, perSecond: 10, keys: 2 }) }
  }

  test('admits a burst, and so many a second from then on; each key has its own', async () => {
    const { clock, buckets } = make()
    expect([buckets.take('a', 60), buckets.take('a', 40), buckets.take('a')]).toEqual([0, 0, 100])
    expect(buckets.take('b', 100)).toBe(0)
    await clock.advance(2_500)
    expect([buckets.take('a', 25), buckets.waitMs('a')]).toEqual([0, 100])
  })

  test('an amount above what is left passes, and is paid back', async () => {
    const { clock, buckets } = make()
    expect([buckets.take('a', 250), buckets.waitMs('a')]).toEqual([0, 15_100])
    await clock.advance(15_000)
    expect(buckets.take('a', 250)).toBe(100)
    await clock.advance(1_000)
    expect(buckets.take('a', 5)).toBe(0)
  })

  test('a refused one costs nothing', () => {
    const { buckets } = make()
    buckets.take('a', 100)
    for (let n = 0; n < 5; n++) expect(buckets.take('a', 20)).toBe(100)
  })

  test('[R18] of more keys than allowed, the one unused for longest is dropped', () => {
    const { buckets } = make()
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, 50)
    expect(['a', 'c'].map((key) => buckets.take(key, 51) + buckets.waitMs(key))).toEqual([200, 200])
  })
})
