import {
  type ChannelKind,
  type DeliveredAlert,
  type Delivery,
  type DeliveryAttempt,
  deliveryLimits,
  type DeliveryLog,
  type DeliveryState,
  type getDeliveries,
  type NoticeKind,
  type QueryOf,
  type Wait,
} from '@pulse/contract'
import { queueLimit } from '@pulse/domain'
import type { DeliveryStore, ShownDelivery } from '../db/deliveries.ts'
import type { Pipeline } from './pipeline.ts'

const iso = (ms: number) => new Date(ms).toISOString()

export async function deliveryLog(
  store: DeliveryStore,
  pipeline: Pick<Pipeline, 'status' | 'overflowed' | 'pending'>,
  { limit, state, channel }: NonNullable<QueryOf<typeof getDeliveries>>,
): Promise<DeliveryLog> {
  const filter = { state, channel }
  const most = Math.min(deliveryLimits.most, limit === undefined ? deliveryLimits.usual : Number(limit))
  const channels = pipeline.status()
  const isListed = (one: Delivery) => state === undefined || state === one.state
  const pending = pipeline
    .pending()
    .filter((one) => isListed(one) && (channel === undefined || channel === one.channelId))
  const stored = await store.find(filter, most)
  return {
    channels,
    queue: {
      waiting: channels.reduce((sum, { waiting }) => sum + waiting, 0),
      limit: queueLimit,
      overflowed: pipeline.overflowed,
    },
    total: pending.length + (await store.count(filter)),
    deliveries: [...pending, ...stored.map(toDelivery)].slice(0, most),
  }
}

function toDelivery(row: ShownDelivery): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    kind: row.kind as NoticeKind,
    channelId: row.channel_id,
    channelKind: row.channel_kind as ChannelKind,
    channelName: row.channel_name,
    state: row.state as DeliveryState,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    ...(row.next_attempt_at !== null && { nextAttemptAt: iso(row.next_attempt_at) }),
    ...(row.state === 'waiting' && { wait: waitOf(row) }),
    attempts: row.attempts,
    log: JSON.parse(row.log) as DeliveryAttempt[],
    ...(row.status_code !== null && { statusCode: row.status_code }),
    ...(row.error !== null && { error: row.error }),
    ...(row.payload_size !== null && { payloadSize: row.payload_size }),
    alertCount: row.alert_count,
    alerts: JSON.parse(row.alerts) as DeliveredAlert[],
  }
}

/** A stored message waits for its channel, or for the next attempt. */
const waitOf = ({ attempts, next_attempt_at: at }: ShownDelivery): Wait => {
  const until = at === null ? undefined : iso(at)
  return attempts === 0 ? { reason: 'queue' } : { reason: 'retry', ...(until !== undefined && { until }) }
}
