import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { configure, largeBody, line, optional, read, secret, secretRequired, whole } from './fields.ts'

/** The only list of limits for Apprise: schema, form and defaults read it. */
export const appriseLimits = {
  timeoutSeconds: { min: 5, max: 120 },
  targets: 200,
  /** of a target and of the server's address */
  addressLength: 2048,
  /** of the configuration key and of the program's path */
  nameLength: 256,
  headerLength: 128,
} as const

export const AppriseMode = z.enum(['cli', 'http'])
export type AppriseMode = z.infer<typeof AppriseMode>

const appriseFields = {
  enabled: z.boolean(),
  /** the program on this machine, or an Apprise API server */
  mode: AppriseMode,
  /** Addresses such as `discord://id/token`. In answers their secret parts are masked. */
  targets: z
    .array(line(appriseLimits.addressLength).check(z.minLength(1)))
    .check(z.maxLength(appriseLimits.targets)),
  /** kept for the form alone: the program that runs is the server's own choice */
  cliPath: line(appriseLimits.nameLength),
  timeoutSeconds: whole(appriseLimits.timeoutSeconds),
  /** of the Apprise API server */
  serverUrl: line(appriseLimits.addressLength),
  /** of a configuration that the server keeps; empty: the targets are sent along */
  configKey: line(appriseLimits.nameLength),
  /** name of the header that carries the key */
  apiKeyHeader: line(appriseLimits.headerLength),
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
  targets: z.optional(z.array(line(appriseLimits.addressLength)).check(z.maxLength(appriseLimits.targets))),
  timeoutSeconds: z.optional(z.number()),
  apiKey: z.optional(secret),
  clearApiKey: z.optional(z.boolean()),
  hasApiKey: z.optional(z.boolean()),
})
export type AppriseConfigInput = z.infer<typeof AppriseConfigInput>

export const appriseDefaults: AppriseConfig = {
  enabled: false,
  mode: 'cli',
  targets: [],
  cliPath: 'apprise',
  timeoutSeconds: 15,
  serverUrl: '',
  configKey: '',
  apiKey: '',
  hasApiKey: false,
  apiKeyHeader: 'X-API-KEY',
  skipTlsVerify: false,
}

export const getAppriseConfig = endpoint({
  ...read,
  path: '/api/notifications/apprise',
  reply: AppriseConfig,
})
/** Answers the stored settings. Without targets, or without the server that mode `http` needs, Apprise is disabled. */
export const putAppriseConfig = endpoint({
  ...configure,
  method: 'PUT',
  path: '/api/notifications/apprise',
  audit: 'notification_settings_changed',
  auditFailures: true,
  body: AppriseConfigInput,
  bodyLimit: largeBody,
  reply: AppriseConfig,
})

export const appriseReference = {
  getAppriseConfig: { summary: 'Read how Apprise is used' },
  putAppriseConfig: {
    summary: 'Change how Apprise is used',
    body: { enabled: true, mode: 'http' as const, serverUrl: 'https://apprise.example.com' },
    errors: secretRequired,
  },
}
