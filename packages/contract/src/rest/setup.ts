import * as z from 'zod/mini'
import { bodyLimits, endpoint, writesSettings } from '../endpoint.ts'

/** Kinds that the setup script can prepare. A mail gateway has no API tokens. */
export const SetupKind = z.enum(['pve', 'pbs'])
export type SetupKind = z.infer<typeof SetupKind>

/** Carries the one-time code, which keeps it out of addresses and access logs. */
export const setupCodeHeader = 'x-setup-code'

export const setupFileNames: Record<SetupKind, string> = {
  pve: 'pulse-setup.sh',
  pbs: 'pulse-pbs-setup.sh',
}

const host = z.string().check(z.trim(), z.minLength(1), z.maxLength(512))
const secret = z.string().check(z.trim(), z.minLength(1), z.maxLength(256))
const fingerprint = z.string().check(z.trim(), z.maxLength(128))
/** A host name without control characters and invisible characters, which could forge a line or hide text. */
const plainName = z
  .string()
  .check(z.trim(), z.maxLength(100), z.regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u, 'must be plain text'))

export const SetupScriptUrlInput = z.strictObject({
  type: SetupKind,
  host,
  /** PVE: permission to list backups; its role can also write to storages */
  backupPerms: z.optional(z.boolean()),
  /** PVE: also installs the helper that lets Pulse read the node's temperatures */
  temperature: z.optional(z.boolean()),
})
export type SetupScriptUrlInput = z.infer<typeof SetupScriptUrlInput>

export const SetupScriptUrlReply = z.object({
  /** address of the script, without the code */
  url: z.string(),
  /** run it as root on the host */
  command: z.string(),
  /** for a downloaded script: it prompts for the code, or reads PULSE_SETUP_CODE */
  setupCode: z.string(),
  /** epoch seconds, by the server's clock */
  expires: z.number(),
  /** from this answer on, because the client's clock may differ */
  expiresInSeconds: z.number(),
  fileName: z.string(),
  /** notes for the user to read before running it */
  notes: z.array(z.string()),
})
export type SetupScriptUrlReply = z.infer<typeof SetupScriptUrlReply>

export const postSetupScriptUrl = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/setup-script-url',
  audit: 'setup_code_issued',
  body: SetupScriptUrlInput,
  bodyLimit: bodyLimits.settings,
  reply: SetupScriptUrlReply,
})

/** A shell script. Requires a code issued for exactly these values, or an administrator. */
export const getSetupScript = endpoint({
  method: 'GET',
  path: '/api/setup-script',
  access: 'public',
  rate: 'general',
  query: z.strictObject({
    type: SetupKind,
    host,
    pulse_url: z.optional(z.string().check(z.maxLength(512))),
    backup_perms: z.optional(z.enum(['true', 'false'])),
    temperature: z.optional(z.enum(['true', 'false'])),
  }),
  media: ['text/plain'],
})

export const AutoRegisterInput = z.strictObject({
  type: SetupKind,
  host,
  serverName: plainName,
  /** user@realm!name */
  tokenId: z.string().check(z.trim(), z.maxLength(256)),
  tokenValue: z.string().check(z.trim(), z.maxLength(256)),
  setupCode: z.optional(secret),
  /** a setup code or an API token that may change settings */
  authToken: z.optional(secret),
  /** SHA-256 of the certificate, as the host itself reports it */
  fingerprint: z.optional(fingerprint),
  /** the same for the other members of its cluster */
  clusterFingerprints: z.optional(z.array(fingerprint).check(z.maxLength(64))),
})
export type AutoRegisterInput = z.infer<typeof AutoRegisterInput>

export const AutoRegisterReply = z.object({
  status: z.literal('success'),
  message: z.string(),
  nodeId: z.string(),
})
export type AutoRegisterReply = z.infer<typeof AutoRegisterReply>

/** Needs a setup code or an API token with settings:write; a session is not enough. */
export const postAutoRegister = endpoint({
  method: 'POST',
  path: '/api/auto-register',
  access: 'public',
  rate: 'general',
  audit: 'own',
  body: AutoRegisterInput,
  bodyLimit: bodyLimits.settings,
  reply: AutoRegisterReply,
})
