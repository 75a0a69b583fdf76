import { fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { createTicker, repeatErrorMs, type TickerOptions } from './ticker.ts'

/** A ticker with a job that counts its runs and then executes the test's function. */
function given(run: (count: number) => unknown, rest: Partial<TickerOptions> = {}) {
  const clock = fakeClock()
  const runs: number[] = []
  const errors: unknown[] = []
  const ticker = createTicker({
    clock,
    intervalMs: 1_000,
    run: () => {
      runs.push(clock.monotonic())
      return run(runs.length)
    },
    onError: (error) => errors.push(error),
    ...rest,
  })
  return { clock, runs, errors, ticker }
}
const fails = (error: unknown) => {
  throw error
}

describe('a ticker', () => {
  test('goes on after a run that throws, and the error is reported once', async () => {
    const { clock, runs, errors } = given((count) => count === 1 && fails('broken'))
    await clock.advance(3_000)
    expect(runs).toHaveLength(3)
    expect(errors).toEqual(['broken'])
  })

  test('goes on after a run that rejects', async () => {
    const { clock, runs, errors } = given((count) => (count === 1 ? Promise.reject(new Error('broken')) : 1))
    await clock.advance(3_000)
    expect(runs).toHaveLength(3)
    expect(errors).toEqual([new Error('broken')])
  })

  test('goes on when the function for its pause throws', async () => {
    let asked = 0
    const { clock, runs, errors } = given(() => {}, {
      intervalMs: () => (++asked === 2 ? (fails('lost') as never) : 1_000),
    })
    await clock.advance(70_000)
    expect(errors).toEqual(['lost'])
    expect(runs.length).toBeGreaterThan(2)
  })

  test('does not overlap a run that takes longer than the pause: the next run follows it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { clock, runs } = given(() => promise)
    await clock.advance(5_000)
    expect(runs).toHaveLength(1)
    resolve()
    await expect.poll(() => runs).toHaveLength(2)
    await clock.advance(1_000)
    expect(runs).toHaveLength(3)
  })

  test('stops on request, also by its own run', async () => {
    const { clock, runs, ticker } = given((count) => count === 2 && ticker.stop())
    await clock.advance(10_000)
    expect(runs).toHaveLength(2)
  })

  test('runs immediately when asked, and then after its pause', async () => {
    const { clock, runs, ticker } = given(() => {})
    await clock.advance(900)
    ticker.now()
    await clock.advance(900)
    expect(runs).toHaveLength(1)
    await clock.advance(100)
    expect(runs).toHaveLength(2)
  })

  test('reports a cause once, again when it lasts, and once more after a success or for another cause', async () => {
    const { clock, errors } = given((count) => {
      if (count !== 5) fails(count < 8 ? 'full' : 'gone')
    })
    await clock.advance(4_000)
    expect(errors).toEqual(['full'])
    await clock.advance(3_000)
    expect(errors).toEqual(['full', 'full'])
    await clock.advance(3_000)
    expect(errors).toEqual(['full', 'full', 'gone'])
    await clock.advance(repeatErrorMs)
    expect(errors).toEqual(['full', 'full', 'gone', 'gone'])
  })

  test('goes on when the report itself throws', async () => {
    const { clock, runs } = given(() => fails('broken'), { onError: (error) => fails(error) })
    await expect(clock.advance(1_000)).rejects.toBe('broken')
    await clock.advance(2_000)
    expect(runs).toHaveLength(3)
  })
})
