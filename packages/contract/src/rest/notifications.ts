import * as z from 'zod/mini'
import { bodyLimits, endpoint } from '../endpoint.ts'
import {
  AppriseConfig,
  AppriseConfigInput,
  EmailConfig,
  EmailConfigInput,
  EmailProvider,
  OutboundConfig,
  Webhook,
  WebhookChange,
  WebhookInput,
  WebhookTemplate,
  WebhookTestInput,
} from '../notification-channels.ts'
import { DeliveryLog, DeliveryState, WebhookHistoryEntry } from '../notification-deliveries.ts'

const read = { method: 'GET', access: 'admin', scope: 'settings:read', rate: 'read' } as const
const configure = { access: 'admin', scope: 'settings:write', rate: 'config' } as const
const Done = z.object({ status: z.literal('success') })
/** A template and a list of headers take room. */
const bodyLimit = 512 * 1024

/*
 * A stored secret only goes where it was meant to go. A change, or a test, that would send one to another server (SMTP
 * server, port or encryption; the address of a webhook; the Apprise server or way) is refused with
 * `secret_required`; `details` names what must be given again: `password`, `apiKey`, `targets`, `url`, `headers.{name}`,
 * `customFields.{name}`. A wrong value is `validation_failed` with the same names.
 */

export const getEmailConfig = endpoint({ ...read, path: '/api/notifications/email', reply: EmailConfig })
export const putEmailConfig = endpoint({
  ...configure,
  method: 'PUT',
  path: '/api/notifications/email',
  audit: 'notification_settings_changed',
  auditFailures: true,
  body: EmailConfigInput,
  bodyLimit: bodyLimits.settings,
  reply: Done,
})

export const getAppriseConfig = endpoint({
  ...read,
  path: '/api/notifications/apprise',
  reply: AppriseConfig,
})
/** What is in force then. Without targets, or without the server that mode `http` needs, it is not enabled. */
export const putAppriseConfig = endpoint({
  ...configure,
  method: 'PUT',
  path: '/api/notifications/apprise',
  audit: 'notification_settings_changed',
  auditFailures: true,
  body: AppriseConfigInput,
  bodyLimit,
  reply: AppriseConfig,
})

const webhookParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) })

export const getWebhooks = endpoint({
  ...read,
  path: '/api/notifications/webhooks',
  reply: z.array(Webhook),
})
export const postWebhook = endpoint({
  ...configure,
  method: 'POST',
  path: '/api/notifications/webhooks',
  audit: 'webhook_added',
  body: WebhookInput,
  bodyLimit,
  reply: Webhook,
})
export const putWebhook = endpoint({
  ...configure,
  method: 'PUT',
  path: '/api/notifications/webhooks/:id',
  audit: 'webhook_changed',
  auditFailures: true,
  params: webhookParams,
  body: WebhookChange,
  bodyLimit,
  reply: Webhook,
})
export const deleteWebhook = endpoint({
  ...configure,
  method: 'DELETE',
  path: '/api/notifications/webhooks/:id',
  audit: 'webhook_removed',
  params: webhookParams,
  reply: Done,
})

/** What really happened; a failure is `notification_failed` with `status` and `response` beside the error. */
export const postWebhookTest = endpoint({
  ...configure,
  method: 'POST',
  path: '/api/notifications/webhooks/test',
  audit: 'notification_tested',
  auditFailures: true,
  body: WebhookTestInput,
  bodyLimit,
  reply: z.object({
    success: z.literal(true),
    /** of the answer that came back */
    status: z.number(),
    response: z.string(),
  }),
})

const TestMethod = z.enum(['email', 'webhook', 'apprise'])
/**
 * Waits for the result of a real send, by the given settings or the stored ones (of a webhook: the named one, or the first
 * that is enabled); a failure is `notification_failed` with what the other side said.
 */
export const postNotificationTest = endpoint({
  ...configure,
  method: 'POST',
  path: '/api/notifications/test',
  audit: 'notification_tested',
  auditFailures: true,
  body: z.strictObject({
    /** either of the two */
    method: z.optional(TestMethod),
    type: z.optional(TestMethod),
    /** any part of EmailConfigInput or AppriseConfigInput; the rest is as it is stored */
    config: z.optional(z.record(z.string(), z.unknown())),
    webhookId: z.optional(z.string().check(z.maxLength(128))),
  }),
  bodyLimit,
  reply: z.object({ status: z.literal('success'), message: z.string() }),
})

export const getWebhookTemplates = endpoint({
  ...read,
  path: '/api/notifications/webhook-templates',
  reply: z.array(WebhookTemplate),
})
export const getEmailProviders = endpoint({
  ...read,
  path: '/api/notifications/email-providers',
  reply: z.array(EmailProvider),
})

export const getOutboundConfig = endpoint({
  ...read,
  path: '/api/notifications/outbound',
  reply: OutboundConfig,
})
export const putOutboundConfig = endpoint({
  ...configure,
  method: 'PUT',
  path: '/api/notifications/outbound',
  audit: 'notification_settings_changed',
  body: OutboundConfig,
  bodyLimit: bodyLimits.settings,
  reply: OutboundConfig,
})

export const getDeliveries = endpoint({
  ...read,
  path: '/api/notifications/deliveries',
  query: z.strictObject({
    /** a number; 100 when absent */
    limit: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
    state: z.optional(DeliveryState),
    channel: z.optional(z.string().check(z.maxLength(256))),
  }),
  reply: DeliveryLog,
})
/** One that failed, or that waits for a later try, is sent now. 409 when it was delivered or is under way. */
export const postDeliveryRetry = endpoint({
  ...configure,
  method: 'POST',
  path: '/api/notifications/deliveries/:id/retry',
  audit: 'delivery_retried',
  params: z.object({ id: z.string().check(z.minLength(1), z.maxLength(128)) }),
  reply: Done,
})
/** For older clients: the latest 100 of webhooks, newest first. */
export const getWebhookHistory = endpoint({
  ...read,
  path: '/api/notifications/webhook-history',
  reply: z.array(WebhookHistoryEntry),
})
