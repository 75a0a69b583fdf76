import type { Delivery } from '@pulse/contract'
import type { ChannelInfo, Waiting } from '@pulse/domain'
import { shownAlerts } from './job.ts'

const prefix = 'pending:'
const iso = (ms: number) => new Date(ms).toISOString()

/**
 * The delivery log entry of a message that still collects alerts. Its id is stable while it waits for the
 * same reason.
 */
export function pendingDelivery(
  channel: ChannelInfo,
  { kind, reason, since, until, alerts }: Waiting,
): Delivery {
  return {
    id: `${prefix}${channel.id}:${reason}:${kind}`,
    kind,
    channelId: channel.id,
    channelKind: channel.kind,
    channelName: channel.name,
    state: 'waiting',
    createdAt: iso(since),
    updatedAt: iso(since),
    wait: { reason, ...(until !== undefined && { until: iso(until) }) },
    attempts: 0,
    log: [],
    alertCount: alerts.length,
    alerts: shownAlerts(alerts),
  }
}

export const isPending = (deliveryId: string): boolean => deliveryId.startsWith(prefix)
