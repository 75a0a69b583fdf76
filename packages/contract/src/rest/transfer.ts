import * as z from 'zod/mini'
import { ChannelKind } from '../channels/index.ts'
import { bodyLimits, endpoint } from '../endpoint.ts'
import { Role, Scope } from '../roles.ts'
import { SourceKind } from '../sources.ts'

/** A shorter passphrase is accepted only if it is the caller's login password. */
export const minPassphraseLength = 12

/** Maximum export size, as base64. */
export const maxExportLength = 10_000_000

const passphrase = z.string().check(z.minLength(1), z.maxLength(1024))
const shared = { access: 'admin', scope: 'all', rate: 'auth' } as const

/** The downloaded file. */
export const ConfigExport = z.strictObject({
  status: z.literal('success'),
  /** the encrypted configuration, base64 */
  data: z.string(),
})
export type ConfigExport = z.infer<typeof ConfigExport>

export const ConfigImportReply = z.object({
  status: z.literal('success'),
  /** the imported parts, and all `notes` */
  message: z.string(),
  /** omitted and kept parts, one sentence each */
  notes: z.array(z.string()),
})
export type ConfigImportReply = z.infer<typeof ConfigImportReply>

/** The changes of an import, for confirmation. */
export const ImportChanges = z.object({
  /** `removed`: present here, missing in the file */
  nodes: z.array(
    z.object({
      name: z.string(),
      type: SourceKind,
      host: z.string(),
      change: z.enum(['added', 'changed', 'removed', 'kept']),
    }),
  ),
  /** accounts after the import */
  accounts: z.array(z.object({ name: z.string(), role: Role })),
  /** API tokens after the import */
  tokens: z.array(
    z.object({ name: z.string(), scopes: z.array(Scope), expiresAt: z.optional(z.iso.datetime()) }),
  ),
  /** sign-in providers after the import, and the roles that they grant */
  providers: z.array(z.object({ issuer: z.string(), lets: z.string() })),
  /** new destinations of alerts; secrets in addresses are masked */
  destinations: z.array(z.object({ kind: ChannelKind, name: z.string(), goesTo: z.string() })),
  /** private hosts that outgoing calls may reach after the import, with `confirmDestinations` */
  allowedHosts: z.array(z.string()),
  /** alerts are active here, and inactive after the import */
  switchesAlertsOff: z.boolean(),
})
export type ImportChanges = z.infer<typeof ImportChanges>

export const ConfigImportPreview = z.object({
  status: z.literal('success'),
  /** such as `2 nodes, 1 account` */
  summary: z.string(),
  ...ImportChanges.shape,
  /** parts that would be omitted or kept, one sentence each */
  notes: z.array(z.string()),
})
export type ConfigImportPreview = z.infer<typeof ConfigImportPreview>

export const postConfigExport = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/config/export',
  audit: 'config_exported',
  body: z.strictObject({
    passphrase,
    /** the passphrase must be the caller's login password; any other is refused, whatever its length */
    isLoginPassword: z.optional(z.boolean()),
  }),
  bodyLimit: bodyLimits.auth,
  reply: ConfigExport,
})

/** `data` of an export, or the text of a whole export file */
const importBody = z.strictObject({
  passphrase,
  data: z.string().check(z.minLength(1), z.maxLength(maxExportLength)),
})
const importBodyLimit = 10 * 1024 * 1024

/** Returns what the import would do now. It changes nothing. */
export const postConfigImportPreview = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/config/import/preview',
  audit: 'own',
  body: importBody,
  bodyLimit: importBodyLimit,
  reply: ConfigImportPreview,
})

export const postConfigImport = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/config/import',
  audit: 'own',
  body: z.extend(importBody, {
    /**
     * new alert destinations are active at once and new hosts allowed; default: imported disabled, and
     * omitted
     */
    confirmDestinations: z.optional(z.boolean()),
  }),
  bodyLimit: importBodyLimit,
  reply: ConfigImportReply,
})
