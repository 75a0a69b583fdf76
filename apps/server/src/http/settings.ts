import {
  getConfig,
  getSettings,
  getSystemConfig,
  getSystemSettings,
  postSettings,
  postSettingsValidate,
  postSystemSettings,
  putSystemConfig,
  type SystemSettingsInput,
  type SystemSettingsView,
} from '@pulse/contract'
import type { Principal } from '../auth/principal.ts'
import type { SystemSettingsArea } from '../settings/area.ts'
import { principalOf, type Route, route } from './route.ts'

/** Who may read settings at all; the others get what the pages need. */
const mayReadAll = ({ role, scopes }: Principal) =>
  role === 'admin' && (scopes === undefined || scopes.includes('settings:read'))

export function settingsRoutes(settings: SystemSettingsArea): Route[] {
  async function save({
    body,
    note,
  }: {
    body: SystemSettingsInput
    note: (facts: { details: string }) => void
  }) {
    const changed = await settings.change(body)
    note({ details: changed.length === 0 ? 'nothing changed' : changed.join(', ') })
    return { success: true as const }
  }

  function view(): SystemSettingsView {
    const { theme, backupPollingEnabled, backupPollingInterval } = settings.current()
    return { theme, backupPollingEnabled, backupPollingInterval }
  }

  return [
    route(getSystemConfig, (input) => (mayReadAll(principalOf(input)) ? settings.current() : view())),
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
