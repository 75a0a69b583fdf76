import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsMonitoring, readsSettings, writesSettings } from '../endpoint.ts'
import { SettingsProblem, SystemSettings, SystemSettingsInput } from '../settings.ts'

/** field → true and variable → true for values that the environment or pulse.yaml fixes */
const overrides = z.record(z.string(), z.boolean())
const Saved = z.object({ success: z.literal(true) })

const save = {
  ...writesSettings,
  audit: 'settings_changed',
  body: SystemSettingsInput,
  bodyLimit: bodyLimits.settings,
  reply: Saved,
} as const

/**
 * A viewer gets the settings that pages need, with the user's own theme if one is chosen. An administrator
 * gets all.
 */
export const SystemSettingsView = z.object({
  ...z.partial(SystemSettings).shape,
  theme: SystemSettings.shape.theme,
})
export type SystemSettingsView = z.infer<typeof SystemSettingsView>

export const getSystemConfig = endpoint({
  ...readsMonitoring,
  path: '/api/config/system',
  reply: SystemSettingsView,
})

export const getSystemSettings = endpoint({
  ...readsSettings,
  path: '/api/system/settings',
  reply: z.object({ ...SystemSettings.shape, envOverrides: overrides }),
})

export const postSystemSettings = endpoint({ ...save, method: 'POST', path: '/api/system/settings/update' })

/** Deprecated: same as the call above. */
export const putSystemConfig = endpoint({ ...save, method: 'PUT', path: '/api/config/system' })

export const getSettings = endpoint({
  ...readsSettings,
  path: '/api/settings',
  reply: z.object({
    current: SystemSettings,
    defaults: SystemSettings,
    capabilities: z.object({
      /** false: changes take effect immediately */
      requiresRestart: z.boolean(),
      canRestart: z.boolean(),
      canValidate: z.boolean(),
    }),
  }),
})

export const postSettings = endpoint({ ...save, method: 'POST', path: '/api/settings/update' })

/** Accepts any value in every field: the answer lists the problems, so the request is not refused. */
const anything = Object.fromEntries(
  Object.keys(SystemSettings.shape).map((key) => [key, z.optional(z.unknown())]),
)

export const postSettingsValidate = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/settings/validate',
  audit: 'none',
  body: z.strictObject(anything),
  bodyLimit: bodyLimits.settings,
  reply: z.object({ valid: z.boolean(), errors: z.array(SettingsProblem) }),
})

export const getConfig = endpoint({
  ...readsMonitoring,
  path: '/api/config',
  reply: z.object({
    csrfProtection: z.boolean(),
    autoUpdateEnabled: z.boolean(),
    updateChannel: SystemSettings.shape.updateChannel,
  }),
})
