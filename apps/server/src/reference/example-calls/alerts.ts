import type { Alert, Delivery, DeliveryLog } from '@pulse/contract'
import { expect, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import type { Estate } from './fixtures.ts'

/** Channels, before any message. */
export async function askForDestinations({ call, hooks, mail }: Estate) {
  const host = new URL(hooks.origin).host
  await call('putOutboundConfig', {
    body: { allowedHosts: [host, `${mail.host}:${mail.port}`, '127.0.0.1'] },
  })
  await call('getOutboundConfig')
  const server = { server: mail.host, port: mail.port, tls: false, startTLS: false }
  const addresses = { from: 'pulse@example.com', to: ['admin@example.com'] }
  await call('putEmailConfig', { body: { ...server, ...addresses, enabled: true } })
  await call('getEmailConfig')
  await call('putAppriseConfig', { body: { enabled: false, mode: 'http', serverUrl: hooks.origin } })
  await call('getAppriseConfig')
  const webhook = { name: 'On call', url: hooks.urls['generic']!, service: 'generic' }
  const { id } = (await call('postWebhook', { body: webhook })).body as { id: string }
  await call('postWebhookTest', { body: webhook })
  await call('postNotificationTest', { body: { method: 'webhook', webhookId: id } })
  await call('putWebhook', { params: { id }, body: { name: 'Operations' } })
  await call('getWebhooks')
  hooks.behave({ kind: 'status', status: 503 }, { path: '/elsewhere' })
  await call('postWebhook', { body: { ...webhook, name: 'Elsewhere', url: `${hooks.origin}/elsewhere` } })
  await call('getWebhookTemplates')
  await call('getEmailProviders')
}

/** Alerts: one container is unhealthy. */
export async function askForAlerts(estate: Estate) {
  const { call, server } = estate
  await call('postAlertsActivate')
  await call('putAlertConfig')
  await call('getAlertConfig')
  const active = async () => (await server.as(estate.session)('GET', '/api/alerts/active')).body as Alert[]
  const ours = async () => (await active()).find(({ resourceName }) => resourceName === 'proxy')
  await vi.waitFor(async () => expect(await ours()).toBeDefined(), { timeout: within(60_000) })
  await call('getActiveAlerts')
  const { id } = (await ours())!
  const named = { body: { id, user: 'admin' } }
  const several = { body: { alertIds: [id], user: 'admin' } }
  await call('postAlertAcknowledge', { params: { id } })
  await call('postAlertUnacknowledge', { params: { id } })
  await call('postAcknowledge', named)
  await call('postUnacknowledge', named)
  await call('postBulkAcknowledge', several)
  await call('getAlertTrace', { query: { alert: id } })
  await call('getAlertHistory', { query: { limit: '50' } })
  await call('getAlertHistoryCount', { query: {} })
}

export async function askForDeliveries(estate: Estate) {
  const { call, server } = estate
  const log = async () =>
    (await server.as(estate.session)('GET', '/api/notifications/deliveries')).body as DeliveryLog
  const found = async (name: string, said: (delivery: Delivery) => boolean) =>
    (await log()).deliveries.find((delivery) => delivery.channelName === name && said(delivery))
  const lost = await vi.waitFor(
    async () => {
      expect(await found('Operations', ({ state }) => state === 'delivered')).toBeDefined()
      return (await found('Elsewhere', ({ attempts }) => attempts > 0))!.id
    },
    { timeout: within(60_000) },
  )
  await call('getDeliveries')
  await call('postDeliveryRetry', { params: { id: lost } })
  await call('getWebhookHistory')
}

/** Calls that remove alerts. */
export async function removeAlerts({ call, answers }: Estate) {
  const alerts = answers.get('getActiveAlerts')!.body as Alert[]
  const { id } = alerts.find(({ resourceName }) => resourceName === 'proxy')!
  await call('postAlertClear', { params: { id } })
  await call('postClear', { body: { id } })
  await call('postBulkClear', { body: { alertIds: [id] } })
  await call('deleteAlertHistory')
  await call('postAlertsDeactivate')
  const { id: webhook } = answers.get('postWebhook')!.body as { id: string }
  await call('deleteWebhook', { params: { id: webhook } })
}
