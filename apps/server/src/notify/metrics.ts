import { counter, type Metric } from '../metric.ts'
import type { Pipeline } from './pipeline.ts'

const seconds = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso) / 1000)

export function deliveryMetrics(pipeline: Pipeline): readonly Metric[] {
  const of = (
    type: Metric['type'],
    name: string,
    help: string,
    value: (
      channel: ReturnType<Pipeline['status']>[number],
      counts: NonNullable<ReturnType<Pipeline['counts']>>,
    ) => number | undefined,
  ): Metric => ({
    name,
    type,
    help,
    labels: ['channel'],
    samples: () =>
      pipeline.status().map((channel) => {
        const counts = pipeline.counts(channel.id)
        return [counts && value(channel, counts), channel.id] as const
      }),
  })
  return [
    {
      name: 'pulse_notification_channel_info',
      type: 'gauge',
      help: 'A notification channel. Always 1.',
      labels: ['channel', 'kind', 'name', 'enabled'],
      samples: () =>
        pipeline.status().map(({ id, kind, name, enabled }) => [1, id, kind, name, String(enabled)] as const),
    },
    of(
      'gauge',
      'pulse_notifications_waiting',
      'Notifications waiting to be sent through the channel.',
      ({ waiting }) => waiting,
    ),
    of(
      'counter',
      'pulse_notifications_sent_total',
      'Messages delivered through the channel.',
      (_, { delivered }) => delivered,
    ),
    of(
      'counter',
      'pulse_notification_attempts_failed_total',
      'Failed attempts to send a message through the channel.',
      (_, { failed }) => failed,
    ),
    of(
      'counter',
      'pulse_notification_tries_failed_total',
      'Deprecated, removed in the next release: pulse_notification_attempts_failed_total.',
      (_, { failed }) => failed,
    ),
    of(
      'counter',
      'pulse_notifications_given_up_total',
      'Messages given up after all retries; the delivery log lists them.',
      (_, { givenUp }) => givenUp,
    ),
    of(
      'gauge',
      'pulse_notification_sent_timestamp_seconds',
      'Time of the last delivery through the channel, in seconds since 1970.',
      ({ lastDeliveredAt }) => seconds(lastDeliveredAt),
    ),
    of(
      'gauge',
      'pulse_notification_failing_timestamp_seconds',
      'Time since which the channel has been failing, in seconds since 1970; absent while it works.',
      ({ failingSince }) => seconds(failingSince),
    ),
    counter(
      'pulse_notifications_overflowed_total',
      'Notifications held back because the queue was full.',
      () => pipeline.overflowed,
    ),
  ]
}
