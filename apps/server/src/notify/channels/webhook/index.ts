import {
  type DeliveredAlert,
  deleteWebhook,
  deliveryLimits,
  getWebhookHistory,
  getWebhooks,
  getWebhookTemplates,
  postWebhook,
  postWebhookTest,
  putWebhook,
  type Webhook,
  type WebhookHistoryEntry,
} from '@pulse/contract'
import { webhookCapacity, webhookTemplates } from '@pulse/domain'
import { AppError } from '../../../app-error.ts'
import type { DeliveryStore } from '../../../db/deliveries.ts'
import { route } from '../../../http/route.ts'
import type { Channel } from '../../channel.ts'
import { defaultRetryPolicy } from '../../retry-pause.ts'
import { maskedUrl } from '../masks.ts'
import type { ChannelEdges, ChannelModule } from '../module.ts'
import { checked } from '../refusals.ts'
import { webhookDocument } from './document.ts'
import { createWebhookSender } from './send.ts'
import { changedWebhook, newWebhook, shownWebhook, testedWebhook } from './settings.ts'

/** The dialog waits for the answer of a test. */
const testTimeoutMs = 10_000

const notFound = () => new AppError('not_found', 'There is no such webhook; it may have been deleted.')

/** One channel for each webhook. */
export function createWebhookModule(edges: ChannelEdges): ChannelModule {
  const { clock, outbound, openDocument, sendTest, deliveries } = edges
  const document = openDocument(webhookDocument)
  const { send, problems } = createWebhookSender({ clock, outbound })
  const channelOf = (webhook: Webhook): Channel => ({
    info: {
      id: `webhook:${webhook.id}`,
      kind: 'webhook',
      name: webhook.name,
      enabled: webhook.enabled,
      capacity: webhookCapacity(webhook),
      hasIncidents: webhook.service === 'pagerduty',
    },
    service: webhook.service,
    address: maskedUrl(webhook.url),
    retryPolicy: defaultRetryPolicy,
    testTimeoutMs,
    revision: JSON.stringify(webhook),
    send: (notice, signal) => send(webhook, notice, signal),
  })
  const find = (id: string): Webhook | undefined => document.current().find((one) => one.id === id)
  const test = (webhook: Webhook) => sendTest(channelOf(checked(webhook, problems)))

  return {
    channels: () => document.current().map(channelOf),
    routes: [
      route(getWebhooks, () => [...document.shown()]),
      route(postWebhook, async ({ body, note }) => {
        let added: Webhook | undefined
        await document.change((list) => {
          added = checked(newWebhook(body, list), problems)
          return [...list, added]
        })
        const shown = shownWebhook(added!)
        note({ target: shown.name, details: shown.url })
        return shown
      }),
      route(putWebhook, async ({ params: { id }, body, note }) => {
        note({ target: find(id)?.name ?? id })
        const list = await document.change((before) => {
          const old = before.find((one) => one.id === id)
          if (!old) throw notFound()
          const next = checked(changedWebhook(old, body), problems)
          return before.map((one) => (one === old ? next : one))
        })
        const shown = shownWebhook(list.find((one) => one.id === id)!)
        note({ target: shown.name, details: `${shown.enabled ? 'on' : 'off'}, ${shown.url}` })
        return shown
      }),
      route(deleteWebhook, async ({ params: { id }, note }) => {
        await document.change((list) => {
          const old = list.find((one) => one.id === id)
          if (!old) throw notFound()
          note({ target: old.name })
          return list.filter((one) => one !== old)
        })
        return { status: 'success' as const }
      }),
      route(postWebhookTest, async ({ body, note }) => {
        const webhook = testedWebhook(body.id === undefined ? undefined : find(body.id), body)
        note({ target: webhook.name, details: shownWebhook(webhook).url })
        const { status = 200, response = '' } = await test(webhook)
        return { success: true as const, status, response }
      }),
      route(getWebhookTemplates, () => [...webhookTemplates]),
      route(getWebhookHistory, () => webhookHistory(deliveries)),
    ],
    async test({ body: { webhookId }, note }) {
      const webhook =
        webhookId === undefined ? document.current().find(({ enabled }) => enabled) : find(webhookId)
      if (!webhook) throw notFound()
      note({ target: webhook.name })
      await test(webhook)
      return `The test was sent to ${webhook.name}.`
    },
  }
}

const historyLength = 100
const finished = ['delivered', 'failed']

/** The latest finished messages, in the form of Pulse 4.x. */
async function webhookHistory(store: DeliveryStore): Promise<WebhookHistoryEntry[]> {
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
