import * as z from 'zod/mini'
import { bodyLimits, endpoint } from '../endpoint.ts'
import { Theme } from '../settings.ts'

/** A preference for all browsers of the account; an empty value removes it. */
export const PreferencesInput = z.strictObject({ theme: Theme })
export type PreferencesInput = z.infer<typeof PreferencesInput>

/** For people only, because it changes nothing but the look of their own pages. */
export const putPreferences = endpoint({
  method: 'PUT',
  path: '/api/preferences',
  access: 'user',
  scope: 'none',
  rate: 'general',
  audit: 'none',
  body: PreferencesInput,
  bodyLimit: bodyLimits.settings,
  reply: z.object({ success: z.literal(true) }),
})
