import { afterEach, expect, test } from 'vitest'
import { aPipeline, delivered, minuteMs, refused, type TestPipeline, undeliverable } from './fixtures.ts'
import { deliveryMetrics } from './metrics.ts'

let now: TestPipeline
afterEach(() => now.end())

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
  sink.answer = () => undeliverable
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
