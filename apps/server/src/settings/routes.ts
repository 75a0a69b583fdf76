import {
  getConfig,
  getSettings,
  getSystemConfig,
  getSystemSettings,
  postSettings,
  postSettingsValidate,
  postSystemSettings,
  putPreferences,
  putSystemConfig,
  type SystemSettingsInput,
  type SystemSettingsView,
} from '@pulse/contract'
import type { Principal } from '../auth/principal.ts'
import type { SystemSettingsArea } from './system.ts'
import type { ViewerThemes } from './viewer-themes.ts'
import { principalOf, type Route, route } from '../http/route.ts'

/** Who may read all settings; other users get only those that the pages need. */
const mayReadAll = ({ role, scopes }: Principal) =>
  role === 'admin' && (scopes === undefined || scopes.includes('settings:read'))

export interface SettingsParts {
  settings: SystemSettingsArea
  themes: ViewerThemes
}

export function settingsRoutes({ settings, themes }: SettingsParts): Route[] {
  async function save({
    body,
    note,
  }: {
    body: SystemSettingsInput
    note: (facts: { details: string }) => void
  }) {
    const { logLevel } = settings.current()
    const changed = await settings.change(body)
    const levels = `logLevel (${logLevel} → ${settings.current().logLevel})`
    const names = changed.map((name) => (name === 'logLevel' ? levels : name))
    note({ details: names.length === 0 ? 'nothing changed' : names.join(', ') })
    return { success: true as const }
  }

  function view({ id }: Principal): SystemSettingsView {
    const { theme, backupPollingEnabled, backupPollingInterval } = settings.current()
    return { theme: themes.of(id) ?? theme, backupPollingEnabled, backupPollingInterval }
  }

  return [
    route(getSystemConfig, (input) => {
      const principal = principalOf(input)
      return mayReadAll(principal) ? settings.current() : view(principal)
    }),
    route(putPreferences, async ({ body, ...input }) => {
      const { id } = principalOf(input)
      await themes.choose(id, body.theme)
      return { success: true as const }
    }),
    route(getSystemSettings, () => ({ ...settings.current(), envOverrides: settings.overrides() })),
    route(postSystemSettings, save),
    route(putSystemConfig, save),
    route(getSettings, () => ({
      current: settings.current(),
      defaults: settings.defaults(),
      capabilities: { requiresRestart: false, canRestart: false, canValidate: true },
    })),
    route(postSettings, save),
    route(postSettingsValidate, ({ body }) => {
      const errors = settings.problems(body)
      return { valid: errors.length === 0, errors }
    }),
    route(getConfig, () => {
      const { autoUpdateEnabled, updateChannel } = settings.current()
      return { csrfProtection: true, autoUpdateEnabled, updateChannel }
    }),
  ]
}
