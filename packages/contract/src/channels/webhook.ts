import * as z from 'zod/mini'
import { endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { Done, largeBody, line, optional, text } from './fields.ts'

/** The only list of limits for webhooks: schema and form read it. */
export const webhookLimits = {
  webhooks: 100,
  headers: 50,
  customFields: 50,
  templateLength: 65_536,
  /** of its name, and of the names of headers and fields */
  nameLength: 128,
  /** of the URL, and of the values of headers and fields */
  valueLength: 4096,
} as const

/**
 * The services in `packages/domain/src/notify/services` with their names; npm run format updates the list.
 */
export const webhookServiceNames = {
  // registry: services
  generic: 'Generic Webhook',
  discord: 'Discord',
  slack: 'Slack',
  telegram: 'Telegram',
  teams: 'Microsoft Teams',
  'teams-adaptive': 'Microsoft Teams (Adaptive Card)',
  pagerduty: 'PagerDuty',
  pushover: 'Pushover',
  gotify: 'Gotify',
  ntfy: 'ntfy',
} as const
export const webhookServices = Object.keys(webhookServiceNames) as (keyof typeof webhookServiceNames)[]
export const WebhookService = z.enum(webhookServices)
export type WebhookService = z.infer<typeof WebhookService>

export const WebhookMethod = z.enum(['POST', 'PUT', 'PATCH'])
export type WebhookMethod = z.infer<typeof WebhookMethod>

/** The token syntax of RFC 9110. */
const headerName = z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'This is no header name.'))
const fieldName = line(webhookLimits.nameLength).check(z.minLength(1))
const atMost = (most: number) =>
  z.refine<Record<string, unknown>>((values) => Object.keys(values).length <= most, `At most ${most}.`)

const webhookFields = {
  name: line(webhookLimits.nameLength).check(z.minLength(1)),
  /** may contain `{{…}}` after the host; its secret parts are masked in answers */
  url: line(webhookLimits.valueLength).check(z.minLength(1)),
  method: WebhookMethod,
  /** masked in answers, except for harmless ones */
  headers: z.record(headerName, line(webhookLimits.valueLength)).check(atMost(webhookLimits.headers)),
  enabled: z.boolean(),
  service: WebhookService,
  /** empty: the default payload of the service */
  template: z.string().check(z.maxLength(webhookLimits.templateLength)),
  /** masked in answers, except for harmless ones */
  customFields: z
    .record(fieldName, text(webhookLimits.valueLength))
    .check(atMost(webhookLimits.customFields)),
}

const WebhookId = z.string().check(z.minLength(1), z.maxLength(webhookLimits.nameLength))
export const Webhook = z.object({ id: WebhookId, ...webhookFields })
export type Webhook = z.infer<typeof Webhook>

const { name, url, ...others } = webhookFields
/** A new webhook; absent fields get the values of a generic one. `id` is ignored. */
export const WebhookInput = z.strictObject({ id: z.optional(WebhookId), name, url, ...optional(others) })
export type WebhookInput = z.infer<typeof WebhookInput>

/** An absent field keeps its value, and a masked value means the stored one. `id` is ignored. */
export const WebhookChange = z.strictObject({ id: z.optional(WebhookId), ...optional(webhookFields) })
export type WebhookChange = z.infer<typeof WebhookChange>

/** A test before saving. With the id of a stored webhook, masked values mean the stored ones. */
export const WebhookTestInput = z.strictObject({
  id: z.optional(WebhookId),
  name: z.optional(text(webhookLimits.nameLength)),
  url,
  ...optional(others),
})
export type WebhookTestInput = z.infer<typeof WebhookTestInput>

/** A field that a service needs in addition to its URL. */
export const WebhookTemplateField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  secret: z.boolean(),
  /** shown in the empty field */
  placeholder: z.optional(z.string()),
})
export type WebhookTemplateField = z.infer<typeof WebhookTemplateField>

export const WebhookTemplate = z.object({
  service: WebhookService,
  name: z.string(),
  urlPattern: z.string(),
  method: WebhookMethod,
  headers: z.record(z.string(), z.string()),
  payloadTemplate: z.string(),
  instructions: z.string(),
  fields: z.array(WebhookTemplateField),
})
export type WebhookTemplate = z.infer<typeof WebhookTemplate>

/** Name and URL have no sensible default. */
export const webhookDefaults: Omit<Webhook, 'id' | 'name' | 'url'> = {
  method: 'POST',
  headers: {},
  enabled: true,
  service: 'generic',
  template: '',
  customFields: {},
}

const webhookParams = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(webhookLimits.nameLength)),
})

export const getWebhooks = endpoint({
  ...readsSettings,
  path: '/api/notifications/webhooks',
  reply: z.array(Webhook),
})
export const postWebhook = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/notifications/webhooks',
  audit: 'webhook_added',
  body: WebhookInput,
  bodyLimit: largeBody,
  reply: Webhook,
})
export const putWebhook = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/notifications/webhooks/:id',
  audit: 'webhook_changed',
  auditFailures: true,
  params: webhookParams,
  body: WebhookChange,
  bodyLimit: largeBody,
  reply: Webhook,
})
export const deleteWebhook = endpoint({
  ...writesSettings,
  method: 'DELETE',
  path: '/api/notifications/webhooks/:id',
  audit: 'webhook_removed',
  params: webhookParams,
  reply: Done,
})

/**
 * The result of a real send. A failure is `notification_failed`, with `status` and `response` in addition to
 * the error.
 */
export const postWebhookTest = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/notifications/webhooks/test',
  audit: 'notification_tested',
  auditFailures: true,
  body: WebhookTestInput,
  bodyLimit: largeBody,
  reply: z.object({
    success: z.literal(true),
    /** HTTP status of the receiver's answer */
    status: z.number(),
    response: z.string(),
  }),
})

export const getWebhookTemplates = endpoint({
  ...readsSettings,
  path: '/api/notifications/webhook-templates',
  reply: z.array(WebhookTemplate),
})

/** An entry of the legacy call. */
export const WebhookHistoryEntry = z.object({
  webhookName: z.string(),
  /** without secrets */
  webhookUrl: z.string(),
  service: z.string(),
  alertId: z.string(),
  /** RFC 3339 */
  timestamp: z.string(),
  statusCode: z.number(),
  success: z.boolean(),
  errorMessage: z.optional(z.string()),
  retryAttempts: z.number(),
  payloadSize: z.number(),
})
export type WebhookHistoryEntry = z.infer<typeof WebhookHistoryEntry>

/** For legacy clients: the latest 100 webhook messages, newest first. */
export const getWebhookHistory = endpoint({
  ...readsSettings,
  path: '/api/notifications/webhook-history',
  reply: z.array(WebhookHistoryEntry),
})

const example = {
  id: 'b1f7a0de-2f77-4c7e-9a3e-0d6c1f4a9b52',
  name: 'On call',
  url: 'https://ntfy.example.com/pulse',
  service: 'ntfy',
} as const
const params = { id: example.id }
const body = { name: example.name, url: example.url, service: example.service }

export const webhookReference = {
  getWebhooks: { summary: 'List the webhooks' },
  postWebhook: { summary: 'Add a webhook', body },
  putWebhook: {
    summary: 'Change a webhook',
    params,
    body: { enabled: false },
    errors: ['secret_required', 'not_found'] as const,
  },
  deleteWebhook: { summary: 'Remove a webhook', params, errors: ['not_found'] as const },
  postWebhookTest: {
    summary: 'Send a test to a webhook before it is saved',
    body,
    errors: ['notification_failed', 'not_found', 'secret_required'] as const,
  },
  getWebhookTemplates: { summary: 'List the webhook services' },
  getWebhookHistory: { summary: 'List the latest messages of webhooks' },
}
