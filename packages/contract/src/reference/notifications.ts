import { appriseDefaults, emailDefaults, webhookDefaults } from '../notification-defaults.ts'
import type * as calls from '../rest/notifications.ts'
import type { Reference } from './about.ts'
import { anAlert, now } from './samples.ts'

const done = { status: 'success' } as const
const webhook = {
  ...webhookDefaults,
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

const deliveredAlert = {
  id: anAlert.id,
  resourceName: anAlert.resourceName,
  type: anAlert.type,
  level: anAlert.level,
  message: anAlert.message,
  startTime: anAlert.startTime,
}

export const notifications = {
  getEmailConfig: { summary: 'Read how mail is sent', reply: { ...emailDefaults, ...email, enabled: true } },
  putEmailConfig: {
    summary: 'Change how mail is sent',
    body: { ...email, enabled: true, username: 'pulse', password: 'what nobody else guesses' },
    reply: done,
    errors: again,
  },
  getAppriseConfig: { summary: 'Read how Apprise is used', reply: appriseDefaults },
  putAppriseConfig: {
    summary: 'Change how Apprise is used',
    body: { enabled: true, mode: 'http', serverUrl: 'https://apprise.example.com' },
    reply: { ...appriseDefaults, enabled: true, mode: 'http', serverUrl: 'https://apprise.example.com' },
    errors: again,
  },
  getWebhooks: { summary: 'List the webhooks', reply: [webhook] },
  postWebhook: {
    summary: 'Add a webhook',
    body: { name: webhook.name, url: webhook.url, service: webhook.service },
    reply: webhook,
  },
  putWebhook: {
    summary: 'Change a webhook',
    params,
    body: { enabled: false },
    reply: { ...webhook, enabled: false },
    errors: [...again, ...missing],
  },
  deleteWebhook: { summary: 'Remove a webhook', params, reply: done, errors: missing },
  postWebhookTest: {
    summary: 'Send a test to a webhook before it is saved',
    body: { name: webhook.name, url: webhook.url, service: webhook.service },
    reply: { success: true, status: 200, response: 'ok' },
    errors: untold,
  },
  postNotificationTest: {
    summary: 'Send a test by one of the ways',
    body: { method: 'webhook', webhookId: webhook.id },
    reply: { ...done, message: 'The test message was sent.' },
    errors: untold,
  },
  getWebhookTemplates: {
    summary: 'List the services that webhooks know',
    reply: [
      {
        service: 'ntfy',
        name: 'ntfy',
        urlPattern: 'https://ntfy.sh/{topic}',
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        payloadTemplate: '{{.Message}}',
        instructions: 'Choose a topic that nobody guesses.',
        fields: [],
      },
    ],
  },
  getEmailProviders: {
    summary: 'List the mail services that are known',
    reply: [
      {
        name: 'Example',
        smtpHost: email.server,
        smtpPort: email.port,
        tls: false,
        startTLS: true,
        authRequired: true,
        instructions: 'Make a password for this program alone.',
      },
    ],
  },
  getOutboundConfig: { summary: 'Read which hosts may be called all the same', reply: outbound },
  putOutboundConfig: {
    summary: 'Change which hosts may be called all the same',
    body: outbound,
    reply: outbound,
  },
  getDeliveries: {
    summary: 'List what was sent to whom',
    query: { limit: '20' },
    reply: {
      channels: [{ id: webhook.id, kind: 'webhook', name: webhook.name, enabled: true, waiting: 1 }],
      queue: { waiting: 1, limit: 1000, overflowed: 0 },
      total: 2,
      deliveries: [
        {
          id: `pending:${webhook.id}:grouping:raised`,
          kind: 'raised',
          channelId: webhook.id,
          channelKind: 'webhook',
          channelName: webhook.name,
          state: 'waiting',
          createdAt: now,
          updatedAt: now,
          wait: { reason: 'grouping', until: '2026-09-21T14:18:20Z' },
          attempts: 0,
          log: [],
          alertCount: 1,
          alerts: [deliveredAlert],
        },
        {
          id: 'd3c1e7f0-93d4-4d2a-8b57-1a2f5b6c7d80',
          eventId: '8c1e5a54-1d2b-4d8e-8a56-2b6f7c9d0e13',
          kind: 'raised',
          channelId: webhook.id,
          channelKind: 'webhook',
          channelName: webhook.name,
          state: 'failed',
          createdAt: anAlert.startTime,
          updatedAt: now,
          attempts: 1,
          log: [
            { at: now, success: false, statusCode: 403, duration: 84, error: 'The service answered 403.' },
          ],
          statusCode: 403,
          error: 'The service answered 403.',
          alertCount: 1,
          alerts: [deliveredAlert],
        },
      ],
    },
  },
  postDeliveryRetry: {
    summary: 'Send a message again',
    params: { id: 'd3c1e7f0-93d4-4d2a-8b57-1a2f5b6c7d80' },
    reply: done,
    errors: ['not_found', 'conflict'],
  },
  getWebhookHistory: {
    summary: 'List the latest messages of webhooks',
    reply: [
      {
        webhookName: webhook.name,
        webhookUrl: 'https://ntfy.example.com/…',
        service: webhook.service,
        alertId: anAlert.id,
        timestamp: now,
        statusCode: 200,
        success: true,
        retryAttempts: 0,
        payloadSize: 412,
      },
    ],
  },
} satisfies Reference<typeof calls>
