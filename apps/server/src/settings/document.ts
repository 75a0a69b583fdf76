import { systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { invalidFile } from '../export-part.ts'
import type { SettingsDefinition } from '../settings-document.ts'
import type { FixedSettings } from './environment.ts'
import { legacySystem } from './legacy.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from './settings.ts'

/** Only what an administrator has set: defaults may change with a version. */
export const systemDocument = ({
  values,
}: Pick<FixedSettings, 'values'>): SettingsDefinition<SystemSettingsInput> => ({
  key: 'system',
  name: 'stored system settings',
  defaults: () => ({}),
  parse(stored) {
    const input = SystemSettingsInput.parse(stored)
    if (settingsProblems(mergeSettings(systemDefaults, input)).length > 0)
      throw new Error('the settings contradict each other')
    return input
  },
  setAside: 'each',
  exported: {
    key: 'system',
    schema: SystemSettingsInput,
    older: legacySystem,
    read({ frontendPort: _frontend, backendPort: _backend, ...exported }: SystemSettingsInput) {
      const settings = canonicalSettings(exported)
      const alone = mergeSettings(systemDefaults, settings)
      // the settings of the environment stay in force
      const [problem] = [...settingsProblems(alone), ...settingsProblems(mergeSettings(alone, values))]
      if (problem) throw invalidFile(`system.${problem.field}`, problem.message)
      return settings
    },
    plan: (settings, { isSame }) => (isSame ? {} : { settings, summary: 'system settings' }),
  },
})
