import { type DeliveredAlert, deliveryLimits, type WebhookHistoryEntry } from '@pulse/contract'
import type { DeliveryStore } from '../../../db/deliveries.ts'

const historyLength = 100
const finished = ['delivered', 'failed']

/** The latest finished messages, in the form of Pulse 4.x. */
export async function webhookHistory(store: DeliveryStore): Promise<WebhookHistoryEntry[]> {
  const rows = await store.find({ kind: 'webhook' }, deliveryLimits.most)
  return rows
    .filter(({ state }) => finished.includes(state))
    .slice(0, historyLength)
    .map((row) => ({
      webhookName: row.channel_name,
      webhookUrl: row.address,
      service: row.service,
      alertId: (JSON.parse(row.alerts) as DeliveredAlert[])[0]?.id ?? '',
      timestamp: new Date(row.updated_at).toISOString(),
      statusCode: row.status_code ?? 0,
      success: row.state === 'delivered',
      ...(row.error !== null && { errorMessage: row.error }),
      retryAttempts: Math.max(0, row.attempts - 1),
      payloadSize: row.payload_size ?? 0,
    }))
}
