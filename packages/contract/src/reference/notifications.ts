import type * as calls from '../rest/notifications.ts'
import type { Reference } from './about.ts'

const webhook = {
  id: 'b1f7a0de-2f77-4c7e-9a3e-0d6c1f4a9b52',
  name: 'On call',
  url: 'https://ntfy.example.com/pulse',
  service: 'ntfy',
} as const
const params = { id: webhook.id }
const email = { server: 'smtp.example.com', port: 587, from: 'pulse@example.com', to: ['admin@example.com'] }
const again = ['secret_required'] as const
const missing = ['not_found'] as const
const untold = ['notification_failed', 'not_found', 'secret_required'] as const
const outbound = { allowedHosts: ['gotify.lan'] }

export const notifications = {
  getEmailConfig: { summary: 'Read how mail is sent' },
  putEmailConfig: {
    summary: 'Change how mail is sent',
    body: { ...email, enabled: true, username: 'pulse', password: 'a long passphrase' },
    errors: again,
  },
  getAppriseConfig: { summary: 'Read how Apprise is used' },
  putAppriseConfig: {
    summary: 'Change how Apprise is used',
    body: { enabled: true, mode: 'http', serverUrl: 'https://apprise.example.com' },
    errors: again,
  },
  getWebhooks: { summary: 'List the webhooks' },
  postWebhook: {
    summary: 'Add a webhook',
    body: { name: webhook.name, url: webhook.url, service: webhook.service },
  },
  putWebhook: {
    summary: 'Change a webhook',
    params,
    body: { enabled: false },
    errors: [...again, ...missing],
  },
  deleteWebhook: { summary: 'Remove a webhook', params, errors: missing },
  postWebhookTest: {
    summary: 'Send a test to a webhook before it is saved',
    body: { name: webhook.name, url: webhook.url, service: webhook.service },
    errors: untold,
  },
  postNotificationTest: {
    summary: 'Send a test by one of the ways',
    body: { method: 'webhook', webhookId: webhook.id },
    errors: untold,
  },
  getWebhookTemplates: { summary: 'List the services that webhooks know' },
  getEmailProviders: { summary: 'List the mail services that are known' },
  getOutboundConfig: { summary: 'Read which hosts may be called all the same' },
  putOutboundConfig: {
    summary: 'Change which hosts may be called all the same',
    body: outbound,
  },
  getDeliveries: {
    summary: 'List what was sent to whom',
    query: { limit: '20' },
  },
  postDeliveryRetry: {
    summary: 'Send a message again',
    params: { id: 'd3c1e7f0-93d4-4d2a-8b57-1a2f5b6c7d80' },
    errors: ['not_found', 'conflict'],
  },
  getWebhookHistory: { summary: 'List the latest messages of webhooks' },
} satisfies Reference<typeof calls>
