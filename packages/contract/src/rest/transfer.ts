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

/** The file that is downloaded. */
export const ConfigExport = z.strictObject({
  status: z.literal('success'),
  /** the sealed configuration, base64 */
  data: z.string(),
})
export type ConfigExport = z.infer<typeof ConfigExport>

export const ConfigImportReply = z.object({
  status: z.literal('success'),
  /** what was taken over, and all of `notes` */
  message: z.string(),
  /** what was left out or left as it was, each a sentence */
  notes: z.array(z.string()),
})
export type ConfigImportReply = z.infer<typeof ConfigImportReply>

/** What an import would change, for the person who confirms it. */
export const ImportChanges = z.object({
  /** `removed` ones are here and not in the file */
  nodes: z.array(
    z.object({
      name: z.string(),
      type: SourceKind,
      host: z.string(),
      change: z.enum(['added', 'changed', 'removed', 'kept']),
    }),
  ),
  /** people who could sign in then */
  accounts: z.array(z.object({ name: z.string(), role: Role })),
  /** programs that could come in then */
  tokens: z.array(
    z.object({ name: z.string(), scopes: z.array(Scope), expiresAt: z.optional(z.iso.datetime()) }),
  ),
  /** whose word would let people in then, and as what */
  providers: z.array(z.object({ issuer: z.string(), lets: z.string() })),
  /** where alerts would be sent and are not sent now; secrets in addresses are masked */
  destinations: z.array(z.object({ kind: ChannelKind, name: z.string(), goesTo: z.string() })),
  /** hosts in private networks that outgoing calls may reach then, with `confirmDestinations` */
  allowedHosts: z.array(z.string()),
  /** alerts are on here and would be off */
  switchesAlertsOff: z.boolean(),
})
export type ImportChanges = z.infer<typeof ImportChanges>

export const ConfigImportPreview = z.object({
  status: z.literal('success'),
  /** such as `2 nodes, 1 account` */
  summary: z.string(),
  ...ImportChanges.shape,
  /** what would be left out or left as it is, each a sentence */
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
    /** it is meant to be the caller's own password: anything else is a mistake, however long */
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

/** What the import of the same body would do now. Nothing is changed. */
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
    /** new destinations of alerts send at once, new hosts are allowed; otherwise those are imported disabled, these left out */
    confirmDestinations: z.optional(z.boolean()),
  }),
  bodyLimit: importBodyLimit,
  reply: ConfigImportReply,
})
