import * as z from 'zod/mini'
import { endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { largeBody, line, optional, secret, secretRequired, whole } from './fields.ts'

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
  /** `cli`: the program on this machine; `http`: an Apprise API server */
  mode: AppriseMode,
  /** Addresses such as `discord://id/token`. In answers their secret parts are masked. */
  targets: z
    .array(line(appriseLimits.addressLength).check(z.minLength(1)))
    .check(z.maxLength(appriseLimits.targets)),
  /** for reference only: the server alone decides which program it runs */
  cliPath: line(appriseLimits.nameLength),
  timeoutSeconds: whole(appriseLimits.timeoutSeconds),
  /** of the Apprise API server */
  serverUrl: line(appriseLimits.addressLength),
  /** key of a configuration stored on the server; empty: the targets are sent with each message */
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

/** An absent field keeps its stored value. So do an empty or masked key and a masked target. */
export const AppriseConfigInput = z.strictObject({
  ...optional(appriseFields),
  /** blank and repeated targets are dropped */
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
  ...readsSettings,
  path: '/api/notifications/apprise',
  reply: AppriseConfig,
})
/** Returns the stored settings. Apprise is disabled without targets, and in mode `http` without a server. */
export const putAppriseConfig = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/notifications/apprise',
  audit: 'notification_settings_changed',
  auditFailures: true,
  body: AppriseConfigInput,
  bodyLimit: largeBody,
  reply: AppriseConfig,
})

export const appriseReference = {
  getAppriseConfig: { summary: 'Read the Apprise settings' },
  putAppriseConfig: {
    summary: 'Change the Apprise settings',
    body: { enabled: true, mode: 'http' as const, serverUrl: 'https://apprise.example.com' },
    errors: secretRequired,
  },
}
