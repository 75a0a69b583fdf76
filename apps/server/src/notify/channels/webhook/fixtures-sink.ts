import type { Webhook, WebhookService } from '@pulse/contract'
import type { Notice } from '@pulse/domain'
import { startWebhookSink, type WebhookSink } from '@pulse/lab'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { aWebhook, never, sendersFor } from '../fixtures.ts'

/** The fields that each service needs in addition to its address. */
export const needed: Partial<Record<WebhookService, Record<string, string>>> = {
  pagerduty: { routing_key: 'canaryRoutingKey0123456789abcdef' },
  pushover: { app_token: 'canaryAppToken0123456789abcdef', user_token: 'canaryUserToken0123456789abcde' },
}

export const send = (settings: Webhook, notice: Notice, channels = sendersFor()) =>
  channels.webhook.send(settings, notice, never)

/** A sink that is empty at the start of each test of a file, and webhooks of every service that call it. */
export function aServiceSink() {
  const now = {} as { sink: WebhookSink }
  beforeAll(async () => {
    now.sink = await startWebhookSink()
  })
  beforeEach(() => {
    now.sink.clear()
    now.sink.behave({ kind: 'take' })
  })
  afterAll(() => now.sink.close())

  const addressOf = (service: WebhookService) =>
    now.sink.urls[service] ?? `${now.sink.origin}/json/${service}`
  const webhook = (service: WebhookService, change: Partial<Webhook> = {}) =>
    aWebhook(addressOf(service), { service, customFields: needed[service] ?? {}, ...change })
  const lastJson = () => now.sink.received().at(-1)!.json as Record<string, never>
  return { now, addressOf, webhook, lastJson }
}
