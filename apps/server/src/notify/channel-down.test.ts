import { afterEach, describe, expect, test } from 'vitest'
import type { Outcome } from './channel.ts'
import { aPipeline, delivered, idsOf, minuteMs, refused, secondMs, type TestPipeline } from './fixtures.ts'

let now: TestPipeline
afterEach(() => now.end())

describe('[R3] a channel that is down', () => {
  test('for ten minutes: all that still is an alert arrives within 60 s of its return, and no more', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => refused
    const [over] = [now.raise('over'), now.raise('first')]
    for (let n = 0; n < 20; n++) {
      await now.pass(30 * secondMs)
      now.raise(`later-${n}`)
    }
    now.resolve(over)
    const back = now.ground.clock.monotonic()
    sink.answer = () => delivered
    await now.pass(minuteMs)
    const arrived = sink.received.flatMap(({ notice }) => idsOf(notice))
    expect(arrived.toSorted()).toEqual(
      ['first', ...Array.from({ length: 20 }, (_, n) => `later-${n}`)].toSorted(),
    )
    expect(Math.max(...sink.received.map(({ at }) => at)) - back).toBeLessThanOrEqual(minuteMs)
  })

  test('is retried with growing pauses of five minutes at most, never twice within a second', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => refused
    now.raise('first')
    await now.pass(3 * 60 * minuteMs)
    const pauses = sink.attempts.slice(1).map((at, n) => at - sink.attempts[n]!)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(secondMs)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5 * minuteMs + 500)
    expect(Math.max(...pauses)).toBeGreaterThan(4 * minuteMs)
    expect(new Set(pauses.slice(-10)).size).toBeGreaterThan(3)
  })

  test('is asked again when it said so, instead of by our own pause', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => ({ ...refused, status: 429, retryAfterMs: 42_000 }) as Outcome
    now.raise('first')
    await now.pass(90 * secondMs)
    expect(sink.attempts.map((at) => Math.round(at / secondMs))).toEqual([0, 42, 84])
  })

  test('[R7] is a notice of Pulse within a minute, and so is its end', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => refused
    now.raise('first')
    await now.pass(minuteMs)
    expect(now.troubles.list()).toMatchObject([{ id: 'notify-webhook:sink', current: true }])
    sink.answer = () => delivered
    await now.pass(minuteMs)
    expect(now.troubles.list()).toMatchObject([{ current: false }])
  })
})

test('[S16] the notice about a failing channel names neither the channel nor the answer of its receiver', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  sink.answer = () => ({ ...refused, reason: 'http://10.0.0.7:8080 answered 500: canary.' }) as Outcome
  now.raise('first')
  await now.pass(minuteMs)
  const messages = now.troubles.list().map(({ message }) => message)
  expect(messages).toHaveLength(1)
  expect(messages.join()).not.toMatch(/sink|canary|10\.0\.0\.7/)
  expect(now.pipeline.status()[0]!.lastError).toContain('canary')
})

test('a failing channel that is removed ends its notice, and does not count as working again', async () => {
  now = await aPipeline()
  now.channel('sink').answer = () => refused
  now.raise('first')
  await now.pass(minuteMs)
  now.channels.length = 0
  now.pipeline.setChannels()
  const [trouble] = now.troubles.list()
  expect(trouble).toMatchObject({ current: false })
  expect(trouble!.message).toMatch(/was changed or removed/)
})

test('[R4] one of five hangs: the others get everything at once', async () => {
  now = await aPipeline()
  const [stuck, ...others] = ['a', 'b', 'c', 'd', 'e'].map((name) => now.channel(name))
  stuck!.answer = (_notice, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused)))
  for (let n = 0; n < 10; n++) {
    now.raise(`alert-${n}`)
    await now.settled()
    for (const { received } of others) expect(received).toHaveLength(n + 1)
    await now.pass(secondMs)
  }
  expect(stuck!.attempts).toHaveLength(1)
  expect(now.pipeline.status()[0]).toMatchObject({ name: 'a', waiting: 10 })
})
