import type { Notice } from '@pulse/domain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deliveryStore } from '../db/deliveries.ts'
import { collect } from '../db/pages.ts'
import type { Outcome } from './channel.ts'
import { aPipeline, delivered, freely, refused, type TestPipeline } from './fixtures.ts'
import { deliveryMetrics } from './metrics.ts'
import { createTestSend } from './test-send.ts'

const secondMs = 1_000
const minuteMs = 60_000
let now: TestPipeline
afterEach(() => now.end())

const idsOf = ({ alerts }: Notice) => alerts.map(({ alert }) => alert.id)
const log = () => deliveryStore(now.ground.db).find({}, 100)
const never: Outcome = {
  delivered: false,
  status: 404,
  bytes: 10,
  reason: 'It answered 404.',
  retry: 'never',
}

test('[R18] alerts that wait for many destinations are kept once, also after a restart', async () => {
  now = await aPipeline()
  const channels = ['one', 'two', 'three'].map((name) => now.channel(name))
  const seen: unknown[] = []
  for (const channel of channels) {
    channel.answer = ({ alerts }) => {
      seen.push(alerts[0]!.alert)
      return new Promise(() => {})
    }
  }
  now.raise('first')
  await now.settled()
  await now.restart()
  expect(seen).toHaveLength(6)
  expect(new Set(seen.slice(3)).size).toBe(1)
})

test('[S16] readers of alerts see that a message failed, but not its destination or the answer', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  sink.answer = () => ({ ...refused, reason: 'http://10.0.0.7:8080 answered 500: canary.' }) as Outcome
  now.raise('first')
  await now.settled()
  const notices = now.pipeline.explain('first')
  expect(notices.map(({ text }) => text)).toContain('It could not be sent; the delivery log says why.')
  expect(JSON.stringify(notices)).not.toMatch(/canary|10\.0\.0\.7/)
})

test('a channel that is removed and added again keeps the log of what it is sent then', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  const count = 6_000
  sink.info = { ...sink.info, capacity: { firing: count, resolved: count } }
  now.pipeline.setChannels()
  for (let n = 0; n < count; n++) now.raise(`a${n}`)
  const logged = async () => {
    await now.settled()
    return (await collect(deliveryStore(now.ground.db).log())).length
  }
  await now.pass(2 * minuteMs)
  expect(await logged()).toBe(count)
  now.channels.length = 0
  now.pipeline.setChannels()
  now.channels.push(sink)
  now.pipeline.setChannels()
  expect(await logged()).toBe(count)
})

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

test('a test waits for its answer as long as its channel says', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  sink.testTimeoutMs = 10_000
  sink.answer = () => new Promise(() => {})
  const sendTest = createTestSend({
    clock: now.ground.clock,
    store: deliveryStore(now.ground.db),
    publicUrl: () => undefined,
    someNode: () => undefined,
    report: (error) => {
      throw error
    },
    stop: new AbortController().signal,
  })
  const ended = sendTest(sink).then(
    () => 'delivered',
    (error: Error) => error.message,
  )
  await now.pass(10 * secondMs)
  expect(await ended).toBe('No response before the timeout.')
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

test('Prometheus shows by channel what waits, was delivered, failed and was given up', async () => {
  now = await aPipeline()
  const figures = () =>
    Object.fromEntries(
      deliveryMetrics(now.pipeline).map(({ name, samples }) => [
        name,
        [...samples()].map(([value]) => value),
      ]),
    )
  const sink = now.channel('sink')
  sink.answer = () => refused
  now.raise('first')
  await now.settled()
  expect(figures()).toMatchObject({
    pulse_notifications_waiting: [1],
    pulse_notifications_sent_total: [0],
    pulse_notification_attempts_failed_total: [1],
    pulse_notification_tries_failed_total: [1],
    pulse_notifications_given_up_total: [0],
    pulse_notification_sent_timestamp_seconds: [undefined],
    pulse_notification_failing_timestamp_seconds: [now.ground.clock.now() / 1000],
  })
  sink.answer = () => never
  await now.pass(minuteMs)
  sink.answer = () => delivered
  now.raise('second')
  await now.pass(minuteMs)
  expect(figures()).toMatchObject({
    pulse_notifications_waiting: [0],
    pulse_notifications_sent_total: [1],
    pulse_notification_attempts_failed_total: [2],
    pulse_notification_tries_failed_total: [2],
    pulse_notifications_given_up_total: [1],
    pulse_notification_failing_timestamp_seconds: [undefined],
  })
})

describe('what cannot be delivered', () => {
  test('is kept with its cause, can be sent again by hand, and shows in the trace', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => never
    now.raise('first')
    await now.pass(10 * minuteMs)
    expect(sink.attempts).toHaveLength(1)
    const [failed] = await log()
    expect(failed).toMatchObject({
      state: 'failed',
      error: 'It answered 404.',
      status_code: 404,
      attempts: 1,
    })
    expect(now.pipeline.explain('first')[0]!.text).toContain(
      'will not be retried; the delivery log says why.',
    )
    sink.answer = () => delivered
    expect(await now.pipeline.retry(failed!.id)).toBe('sent')
    await now.settled()
    expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2, event_id: failed!.event_id }])
    expect(await now.pipeline.retry(failed!.id)).toBe('done')
    expect(await now.pipeline.retry('nothing')).toBe('unknown')
    expect(sink.received[0]!.notice.eventId).toBe(failed!.event_id)
  })

  test('is sent once when two people send it again at the same moment, also while the disk is full', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => never
    now.raise('first')
    await now.pass(secondMs)
    const [failed] = await log()
    sink.answer = () => delivered
    const full = "CREATE TRIGGER full BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END"
    await now.ground.maintenance.run([{ sql: full, parameters: [] }])
    await Promise.all([now.pipeline.retry(failed!.id), now.pipeline.retry(failed!.id)])
    await now.pass(10 * secondMs)
    expect(sink.received).toHaveLength(1)
  })

  test('a message that one receiver does not take keeps others from it no longer than three tries', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = (notice) => (idsOf(notice).includes('poison') ? refused : delivered)
    now.raise('poison')
    await now.pass(secondMs)
    now.raise('other')
    await now.pass(minuteMs)
    expect(sink.received.map(({ notice }) => idsOf(notice))).toEqual([['other']])
  })

  test('disabling or removing a channel cancels its messages', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => refused
    now.raise('first')
    await now.pass(5 * secondMs)
    sink.info = { ...sink.info, enabled: false }
    now.pipeline.setChannels()
    await now.settled()
    expect(await log()).toMatchObject([{ state: 'cancelled' }])
    sink.answer = () => delivered
    sink.info = { ...sink.info, enabled: true }
    now.pipeline.setChannels()
    await now.settled()
    expect(sink.received).toHaveLength(1)
    now.channels.length = 0
    now.pipeline.setChannels()
    await now.settled()
    expect(await collect(deliveryStore(now.ground.db).log())).toEqual([])
  })

  test('[R7] nothing is wrong any more with a channel that was removed', async () => {
    now = await aPipeline()
    now.channel('sink').answer = () => refused
    now.raise('first')
    await now.pass(minuteMs)
    expect(now.troubles.isDegraded()).toBe(true)
    now.channels.length = 0
    now.pipeline.setChannels()
    await now.settled()
    expect(now.troubles.isDegraded()).toBe(false)
    expect(await log()).toMatchObject([{ state: 'cancelled' }])
  })
})

describe('a restart', () => {
  test('sends nothing twice, and a resolved message for alerts that ended meanwhile', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    const first = now.raise('first')
    await now.settled()
    await now.restart()
    expect(sink.received).toHaveLength(1)
    expect(now.pipeline.explain('first')).toMatchObject([{ channel: 'sink', text: 'Sent.' }])
    now.resolve(first)
    await now.settled()
    expect(sink.received.map(({ notice }) => notice.kind)).toEqual(['raised', 'resolved'])
    expect(sink.received[1]!.notice.alerts[0]!.resolvedAt).toBeDefined()
    await now.restart()
    expect(sink.received).toHaveLength(2)
  })

  test('during an attempt: the message is sent again with the same event id', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    const ids: string[] = []
    sink.answer = (notice, signal) => {
      ids.push(notice.eventId)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused)))
    }
    now.raise('first')
    await now.settled()
    sink.answer = (notice) => (ids.push(notice.eventId), delivered)
    await now.restart()
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })
})

test('[R14] a test that hangs ends with Pulse, as the connection does', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  const cutOff = vi.fn()
  sink.answer = (_notice, signal) => new Promise(() => signal.addEventListener('abort', cutOff))
  const stop = new AbortController()
  const sendTest = createTestSend({
    clock: now.ground.clock,
    store: deliveryStore(now.ground.db),
    publicUrl: () => undefined,
    someNode: () => undefined,
    report: (error) => expect.unreachable(String(error)),
    stop: stop.signal,
  })
  const result = expect(sendTest(sink)).rejects.toThrow('Pulse was stopped before it finished.')
  stop.abort()
  await result
  expect(cutOff).toHaveBeenCalledOnce()
})

test('[R9] a disk that is full keeps no message from being sent', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE deliveries RENAME TO kept', parameters: [] }])
  now.raise('first')
  await now.settled()
  expect(sink.received).toHaveLength(1)
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE kept RENAME TO deliveries', parameters: [] }])
  await now.pass(10 * secondMs)
  expect(await log()).toMatchObject([{ state: 'delivered' }])
})

test('records that a full disk refused are stored as soon as there is room again', async () => {
  now = await aPipeline()
  now.channel('sink')
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE deliveries RENAME TO kept', parameters: [] }])
  now.raise('first')
  await now.settled()
  await now.ground.maintenance.run([{ sql: 'ALTER TABLE kept RENAME TO deliveries', parameters: [] }])
  await now.pipeline.storageIsBack()
  expect(await log()).toMatchObject([{ state: 'delivered' }])
})

test('[R5] thousands at once are one message on the wire', async () => {
  now = await aPipeline(freely())
  const sink = now.channel('sink')
  now.config = freely()
  sink.answer = () => refused
  now.raise('first')
  await now.settled()
  for (let n = 0; n < 500; n++) now.raise(`alert-${n}`)
  sink.answer = () => delivered
  await now.pass(30 * secondMs)
  expect(sink.received.map(({ notice }) => notice.alerts.length)).toEqual([1, 500])
})

test('an error while messages are due delays them by a second, and not until the next change', async () => {
  const grouping = { ...freely().schedule.grouping, enabled: true, window: 30 }
  now = await aPipeline(freely({ grouping }))
  const sink = now.channel('sink')
  now.raise('first')
  await now.pass(29 * secondMs)
  const { clock } = now.ground
  const { now: time } = clock
  let left = 1
  clock.now = () => {
    if (left-- > 0) throw new Error('broken')
    return time()
  }
  await clock.advance(secondMs)
  expect(now.faults.splice(0)).toEqual([new Error('broken')])
  await now.pass(2 * secondMs)
  expect(sink.received.flatMap(({ notice }) => idsOf(notice))).toEqual(['first'])
})
