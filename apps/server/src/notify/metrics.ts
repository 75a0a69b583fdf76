import { counter, type Metric } from '../metric.ts'
import type { Pipeline } from './pipeline.ts'

const seconds = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso) / 1000)

export function deliveryMetrics(pipeline: Pipeline): readonly Metric[] {
  const of = (
    type: Metric['type'],
    name: string,
    help: string,
    value: (
      way: ReturnType<Pipeline['status']>[number],
      counts: NonNullable<ReturnType<Pipeline['counts']>>,
    ) => number | undefined,
  ): Metric => ({
    name,
    type,
    help,
    labels: ['channel'],
    samples: () =>
      pipeline.status().map((way) => {
        const counts = pipeline.counts(way.id)
        return [counts && value(way, counts), way.id] as const
      }),
  })
  return [
    {
      name: 'pulse_notification_channel_info',
      type: 'gauge',
      help: 'A way out for notifications. Always 1.',
      labels: ['channel', 'kind', 'name', 'enabled'],
      samples: () =>
        pipeline.status().map(({ id, kind, name, enabled }) => [1, id, kind, name, String(enabled)] as const),
    },
    of(
      'gauge',
      'pulse_notifications_waiting',
      'Notifications that wait to be sent by this way.',
      ({ waiting }) => waiting,
    ),
    of(
      'counter',
      'pulse_notifications_sent_total',
      'Messages that were delivered by this way.',
      (_, { delivered }) => delivered,
    ),
    of(
      'counter',
      'pulse_notification_tries_failed_total',
      'Tries to send a message by this way that failed.',
      (_, { failed }) => failed,
    ),
    of(
      'counter',
      'pulse_notifications_given_up_total',
      'Messages that failed for good: the delivery log keeps them.',
      (_, { givenUp }) => givenUp,
    ),
    of(
      'gauge',
      'pulse_notification_sent_timestamp_seconds',
      'When a message was last delivered by this way, since 1970.',
      ({ lastDeliveredAt }) => seconds(lastDeliveredAt),
    ),
    of(
      'gauge',
      'pulse_notification_failing_timestamp_seconds',
      'Since when no message could be sent by this way, since 1970; absent while they can.',
      ({ failingSince }) => seconds(failingSince),
    ),
    counter(
      'pulse_notifications_overflowed_total',
      'Notifications that found no room among those that wait.',
      () => pipeline.overflowed,
    ),
  ]
}
