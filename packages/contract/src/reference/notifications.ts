import type * as channels from '../channels/index.ts'
import type * as calls from '../rest/notifications.ts'
import type { Reference } from './about.ts'
// registry: imports
import { appriseReference } from '../channels/apprise.ts'
import { emailReference } from '../channels/email.ts'
import { webhookReference } from '../channels/webhook.ts'

export const notifications = {
  // registry: channels
  ...emailReference,
  ...appriseReference,
  ...webhookReference,

  postNotificationTest: {
    summary: 'Send a test through a channel',
    body: { method: 'webhook', webhookId: 'b1f7a0de-2f77-4c7e-9a3e-0d6c1f4a9b52' },
    errors: ['notification_failed', 'not_found', 'secret_required'],
  },
  getOutboundConfig: { summary: 'Read the allowed hosts' },
  putOutboundConfig: {
    summary: 'Change the allowed hosts',
    body: { allowedHosts: ['gotify.lan'] },
  },
  getDeliveries: {
    summary: 'List the messages and their delivery status',
    query: { limit: '20' },
  },
  postDeliveryRetry: {
    summary: 'Send a message again',
    params: { id: 'd3c1e7f0-93d4-4d2a-8b57-1a2f5b6c7d80' },
    errors: ['not_found', 'conflict'],
  },
} satisfies Reference<typeof calls & typeof channels>
