import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { CircuitBreaker } from './circuit-breaker.ts'

function opened() {
  const clock = fakeClock()
  const breaker = new CircuitBreaker(clock)
  for (let failure = 0; failure < 3; failure++) breaker.fail()
  return { clock, breaker }
}

test('[facts 1.3] two failures leave it closed, the third opens it', () => {
  const breaker = new CircuitBreaker(fakeClock())
  breaker.fail()
  breaker.fail()
  expect(breaker.enter()).toBe(true)
  breaker.fail()
  expect(breaker.state).toBe('open')
  expect(breaker.enter()).toBe(false)
})

test('[facts 1.3] while open one probe passes per waiting time, which doubles from 5 s to 5 min', async () => {
  const { clock, breaker } = opened()
  const waits: number[] = []
  for (let probe = 0; probe < 9; probe++) {
    waits.push(breaker.waitMs())
    await clock.advance(breaker.waitMs())
    expect(breaker.enter()).toBe(true)
    expect(breaker.state).toBe('half_open')
    expect(breaker.enter()).toBe(false)
    breaker.fail()
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
})

test('[facts 6.6.60] a success closes it, and the next opening starts at 5 s again', async () => {
  const { clock, breaker } = opened()
  await clock.advance(5_000)
  breaker.enter()
  breaker.fail()
  await clock.advance(10_000)
  breaker.enter()
  breaker.succeed()
  expect(breaker.state).toBe('closed')
  for (let failure = 0; failure < 3; failure++) breaker.fail()
  expect(breaker.waitMs()).toBe(5_000)
})

test('a failure of a call that went out before it opened does not lengthen the wait', () => {
  const { breaker } = opened()
  breaker.fail()
  expect(breaker.waitMs()).toBe(5_000)
})

test('a probe that never reports back blocks the next one for 30 s only', async () => {
  const { clock, breaker } = opened()
  await clock.advance(5_000)
  breaker.enter()
  await clock.advance(30_000)
  expect(breaker.enter()).toBe(true)
})

test.each([3_600_000, -3_600_000, 3 * 86_400_000, -3 * 86_400_000])(
  '[R20] the wall clock is set by %i ms: it opens for as long as it would have',
  (step) => {
    const { clock, breaker } = opened()
    clock.step(step)
    expect(breaker.waitMs()).toBe(5_000)
  },
)

test('[R20] after a day of sleep it lets a probe through', () => {
  const { clock, breaker } = opened()
  clock.suspend(86_400_000)
  expect(breaker.enter()).toBe(true)
})

test('[facts/platform 15.4] it reports its state, since when, and when the next call is allowed', async () => {
  const clock = fakeClock()
  const start = clock.monotonic()
  const breaker = new CircuitBreaker(clock)
  await clock.advance(1_000)
  expect(breaker.report()).toEqual({ state: 'closed', failures: 0, since: start })
  for (let failure = 0; failure < 3; failure++) breaker.fail()
  const opened = { since: start + 1_000, changedAt: start + 1_000 }
  expect(breaker.report()).toEqual({ state: 'open', failures: 3, ...opened, retryAt: start + 6_000 })
  await clock.advance(5_000)
  breaker.enter()
  const probing = { since: start + 6_000, changedAt: start + 6_000 }
  expect(breaker.report()).toEqual({ state: 'half_open', failures: 3, ...probing, retryAt: start + 36_000 })
  // the probe never reports back
  await clock.advance(40_000)
  const again = { since: start + 36_000, changedAt: start + 36_000 }
  expect(breaker.report()).toEqual({ state: 'open', failures: 3, ...again, retryAt: start + 36_000 })
  breaker.succeed()
  const closed = { since: start + 46_000, changedAt: start + 46_000 }
  expect(breaker.report()).toEqual({ state: 'closed', failures: 0, ...closed })
})
