import * as z from 'zod/mini'
import type { Bounds } from './alert-bounds.ts'

/** Where alerts are sent: the settings of the three kinds of channel, as pages see and save them. */

/** Stands for a secret in every answer; sent back, it means the one that is stored. */
export const secretMask = '********'

export const webhookServices = [
  'generic',
  'discord',
  'slack',
  'telegram',
  'teams',
  'teams-adaptive',
  'pagerduty',
  'pushover',
  'gotify',
  'ntfy',
] as const
export const WebhookService = z.enum(webhookServices)
export type WebhookService = z.infer<typeof WebhookService>

export const WebhookMethod = z.enum(['POST', 'PUT', 'PATCH'])
export type WebhookMethod = z.infer<typeof WebhookMethod>

export const notificationBounds = {
  port: { min: 1, max: 65_535 },
  /** mails a minute */
  rateLimit: { min: 1, max: 1_000 },
  /** further tries soon after a failed one */
  maxRetries: { min: 0, max: 5 },
  /** s before the first of them */
  retryDelay: { min: 1, max: 60 },
  /** s for a run of Apprise */
  appriseTimeout: { min: 5, max: 120 },
} as const satisfies Record<string, Bounds>

export const notificationLimits = {
  webhooks: 100,
  recipients: 100,
  appriseTargets: 200,
  headers: 50,
  customFields: 50,
  templateLength: 65_536,
  allowedHosts: 200,
} as const

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max))
/** Without line ends and other controls: it stands in one line of a mail or of a request. */
const line = (max: number) =>
  text(max).check(z.refine((value) => !/\p{Cc}/u.test(value), 'Control characters cannot be used here.'))
const whole = ({ min, max }: Bounds) => z.number().check(z.int(), z.minimum(min), z.maximum(max))
const address = line(320).check(z.minLength(1))
const secret = z.string().check(z.maxLength(4096))

const emailFields = {
  enabled: z.boolean(),
  /** name of a preset; empty for none */
  provider: line(128),
  server: line(255),
  port: whole(notificationBounds.port),
  username: line(320),
  from: line(320),
  /** empty: the mail goes to the sender's own address */
  to: z.array(address).check(z.maxLength(notificationLimits.recipients)),
  /** empty: answers go to `from` */
  replyTo: line(320),
  /** encrypted from the first byte; never together with the next */
  tls: z.boolean(),
  /** a server that does not offer it gets nothing; both off sends in clear */
  startTLS: z.boolean(),
  rateLimit: whole(notificationBounds.rateLimit),
  maxRetries: whole(notificationBounds.maxRetries),
  retryDelay: whole(notificationBounds.retryDelay),
}

export const EmailConfig = z.object({
  ...emailFields,
  /** always empty in answers */
  password: z.literal(''),
  hasPassword: z.boolean(),
})
export type EmailConfig = z.infer<typeof EmailConfig>

const optional = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, z.optional(schema)])) as {
    [K in keyof T]: z.ZodMiniOptional<T[K]>
  }

/** What is absent stays; so does the password when it is empty or the mask. `hasPassword` is not read. */
export const EmailConfigInput = z.strictObject({
  ...optional(emailFields),
  password: z.optional(secret),
  clearPassword: z.optional(z.boolean()),
  hasPassword: z.optional(z.boolean()),
})
export type EmailConfigInput = z.infer<typeof EmailConfigInput>

export const AppriseMode = z.enum(['cli', 'http'])
export type AppriseMode = z.infer<typeof AppriseMode>

const appriseFields = {
  enabled: z.boolean(),
  /** the program on this machine, or an Apprise API server */
  mode: AppriseMode,
  /** Addresses such as `discord://id/token`. In answers their secret parts are masked. */
  targets: z.array(line(2048).check(z.minLength(1))).check(z.maxLength(notificationLimits.appriseTargets)),
  /** kept for the form alone: the program that runs is the server's own choice */
  cliPath: line(256),
  timeoutSeconds: whole(notificationBounds.appriseTimeout),
  /** of the Apprise API server */
  serverUrl: line(2048),
  /** of a configuration that the server keeps; empty: the targets are sent along */
  configKey: line(256),
  /** name of the header that carries the key */
  apiKeyHeader: line(128),
  skipTlsVerify: z.boolean(),
}

export const AppriseConfig = z.object({
  ...appriseFields,
  /** always empty in answers */
  apiKey: z.literal(''),
  hasApiKey: z.boolean(),
})
export type AppriseConfig = z.infer<typeof AppriseConfig>

/** What is absent stays; so does the key when it is empty or the mask, and a target that comes back masked. */
export const AppriseConfigInput = z.strictObject({
  ...optional(appriseFields),
  /** blank and repeated ones are dropped */
  targets: z.optional(z.array(line(2048)).check(z.maxLength(notificationLimits.appriseTargets))),
  timeoutSeconds: z.optional(z.number()),
  apiKey: z.optional(secret),
  clearApiKey: z.optional(z.boolean()),
  hasApiKey: z.optional(z.boolean()),
})
export type AppriseConfigInput = z.infer<typeof AppriseConfigInput>

/** As RFC 9110 has them. */
const headerName = z.string().check(z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'This is no header name.'))
const fieldName = line(128).check(z.minLength(1))
const atMost = (most: number) =>
  z.refine<Record<string, unknown>>((values) => Object.keys(values).length <= most, `At most ${most}.`)

const webhookFields = {
  name: line(128).check(z.minLength(1)),
  /** may hold `{{…}}` behind the host; in answers its secret parts are masked */
  url: line(4096).check(z.minLength(1)),
  method: WebhookMethod,
  /** values of all but harmless ones are masked in answers */
  headers: z.record(headerName, line(4096)).check(atMost(notificationLimits.headers)),
  enabled: z.boolean(),
  service: WebhookService,
  /** empty: what the service expects */
  template: z.string().check(z.maxLength(notificationLimits.templateLength)),
  /** values of all but harmless ones are masked in answers */
  customFields: z.record(fieldName, text(4096)).check(atMost(notificationLimits.customFields)),
}

const WebhookId = z.string().check(z.minLength(1), z.maxLength(128))
export const Webhook = z.object({ id: WebhookId, ...webhookFields })
export type Webhook = z.infer<typeof Webhook>

const { name, url, ...others } = webhookFields
/** A new one; what is absent is as a generic webhook has it. `id` is not read. */
export const WebhookInput = z.strictObject({ id: z.optional(WebhookId), name, url, ...optional(others) })
export type WebhookInput = z.infer<typeof WebhookInput>

/** What is absent stays; a value that comes back masked is the stored one. `id` is not read. */
export const WebhookChange = z.strictObject({ id: z.optional(WebhookId), ...optional(webhookFields) })
export type WebhookChange = z.infer<typeof WebhookChange>

/** Tried before it is saved; with the id of a stored one its masked values are the stored ones. */
export const WebhookTestInput = z.strictObject({
  id: z.optional(WebhookId),
  name: z.optional(text(128)),
  url,
  ...optional(others),
})
export type WebhookTestInput = z.infer<typeof WebhookTestInput>

/** One field of a service that is no part of its address. */
export const WebhookTemplateField = z.object({
  name: z.string(),
  label: z.string(),
  required: z.boolean(),
  secret: z.boolean(),
  /** shown while it is empty */
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

export const EmailProvider = z.object({
  name: z.string(),
  smtpHost: z.string(),
  smtpPort: z.number(),
  tls: z.boolean(),
  startTLS: z.boolean(),
  authRequired: z.boolean(),
  /** what the account is called there, where it is always the same */
  username: z.optional(z.string()),
  instructions: z.string(),
})
export type EmailProvider = z.infer<typeof EmailProvider>

/** A name, or an address, with or without a port: `gotify.lan`, `127.0.0.1:8000`, `[::1]:25`. */
const hostName = line(260).check(
  z.regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s/@?#:[\]]+)(?::\d{1,5})?$/,
    'Use a host such as gotify.lan or 127.0.0.1:8000.',
  ),
)

/** Hosts that may be called although they are this machine or lie in a range that is otherwise refused. */
export const OutboundConfig = z.strictObject({
  allowedHosts: z.array(hostName).check(z.maxLength(notificationLimits.allowedHosts)),
})
export type OutboundConfig = z.infer<typeof OutboundConfig>
