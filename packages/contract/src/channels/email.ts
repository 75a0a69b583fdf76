import * as z from 'zod/mini'
import { endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { Done, line, optional, secret, secretRequired, settingsBody, whole } from './fields.ts'

/** The only list of limits for mail: schema, form and defaults read it. */
export const emailLimits = {
  port: { min: 1, max: 65_535 },
  /** mails a minute */
  rateLimit: { min: 1, max: 1_000 },
  /** retries soon after a failed attempt */
  maxRetries: { min: 0, max: 5 },
  /** s before the first retry */
  retryDelay: { min: 1, max: 60 },
  recipients: 100,
  providerLength: 128,
  serverLength: 255,
  /** of a mailbox and of a user name */
  addressLength: 320,
} as const

const emailFields = {
  enabled: z.boolean(),
  /** name of a preset; empty for none */
  provider: line(emailLimits.providerLength),
  server: line(emailLimits.serverLength),
  port: whole(emailLimits.port),
  username: line(emailLimits.addressLength),
  from: line(emailLimits.addressLength),
  /** empty: the mail goes to the sender's address */
  to: z
    .array(line(emailLimits.addressLength).check(z.minLength(1)))
    .check(z.maxLength(emailLimits.recipients)),
  /** empty: replies go to `from` */
  replyTo: line(emailLimits.addressLength),
  /** implicit TLS; excludes `startTLS` */
  tls: z.boolean(),
  /** nothing is sent to a server without STARTTLS; with both off, mail is not encrypted */
  startTLS: z.boolean(),
  rateLimit: whole(emailLimits.rateLimit),
  maxRetries: whole(emailLimits.maxRetries),
  retryDelay: whole(emailLimits.retryDelay),
}

export const EmailConfig = z.object({
  ...emailFields,
  /** always empty in answers */
  password: z.literal(''),
  hasPassword: z.boolean(),
})
export type EmailConfig = z.infer<typeof EmailConfig>

/** An absent field keeps its stored value, as does an empty or masked password. `hasPassword` is ignored. */
export const EmailConfigInput = z.strictObject({
  ...optional(emailFields),
  password: z.optional(secret),
  clearPassword: z.optional(z.boolean()),
  hasPassword: z.optional(z.boolean()),
})
export type EmailConfigInput = z.infer<typeof EmailConfigInput>

export const EmailProvider = z.object({
  name: z.string(),
  smtpHost: z.string(),
  smtpPort: z.number(),
  tls: z.boolean(),
  startTLS: z.boolean(),
  authRequired: z.boolean(),
  /** the user name, if the provider has a fixed one */
  username: z.optional(z.string()),
  instructions: z.string(),
})
export type EmailProvider = z.infer<typeof EmailProvider>

export const emailDefaults: EmailConfig = {
  enabled: false,
  provider: '',
  server: '',
  port: 587,
  username: '',
  password: '',
  hasPassword: false,
  from: '',
  to: [],
  replyTo: '',
  tls: true,
  startTLS: false,
  rateLimit: 60,
  maxRetries: 3,
  retryDelay: 5,
}

export const getEmailConfig = endpoint({
  ...readsSettings,
  path: '/api/notifications/email',
  reply: EmailConfig,
})
export const putEmailConfig = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/notifications/email',
  audit: 'notification_settings_changed',
  auditFailures: true,
  body: EmailConfigInput,
  bodyLimit: settingsBody,
  reply: Done,
})
export const getEmailProviders = endpoint({
  ...readsSettings,
  path: '/api/notifications/email-providers',
  reply: z.array(EmailProvider),
})

export const emailReference = {
  getEmailConfig: { summary: 'Read the mail settings' },
  putEmailConfig: {
    summary: 'Change the mail settings',
    body: {
      server: 'smtp.example.com',
      port: 587,
      from: 'pulse@example.com',
      to: ['admin@example.com'],
      enabled: true,
      username: 'pulse',
      password: 'a long passphrase',
    },
    errors: secretRequired,
  },
  getEmailProviders: { summary: 'List the mail providers' },
}
