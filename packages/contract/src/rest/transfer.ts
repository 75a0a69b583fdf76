import * as z from 'zod/mini'
import { bodyLimits, endpoint } from '../endpoint.ts'

/** Shorter ones are taken only when they are the caller's own login password. */
export const minPassphraseLength = 12

/** The largest export there is, as base64. */
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

export const postConfigImport = endpoint({
  ...shared,
  method: 'POST',
  path: '/api/config/import',
  audit: 'own',
  /** `data` as an export has it, or the text of a whole export file */
  body: z.strictObject({ passphrase, data: z.string().check(z.minLength(1), z.maxLength(maxExportLength)) }),
  bodyLimit: 10 * 1024 * 1024,
  reply: ConfigImportReply,
})
