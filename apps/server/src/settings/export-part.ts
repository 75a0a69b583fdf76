import { systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import { invalidFile, nothing, part } from '../export-part.ts'
import type { SettingsDocument } from '../settings-document.ts'
import type { FixedSettings } from './environment.ts'
import { legacySystem } from './legacy.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from './settings.ts'

/** The system settings, replaced as a whole. What the environment fixes goes on to be fixed. */
export const systemPart = (document: SettingsDocument<SystemSettingsInput>, fixed: FixedSettings) =>
  part({
    key: 'system',
    schema: SystemSettingsInput,
    older: legacySystem,
    read: async () => (await document.stored()).value,
    async plan({ frontendPort: _frontend, backendPort: _backend, ...exported }) {
      const settings = canonicalSettings(exported)
      const alone = mergeSettings(systemDefaults, settings)
      const [problem] = [...settingsProblems(alone), ...settingsProblems(mergeSettings(alone, fixed.values))]
      if (problem) throw invalidFile(`system.${problem.field}`, problem.message)
      if (isDeepStrictEqual(settings, (await document.stored()).value)) return nothing
      return { summary: 'system settings', notes: [], queries: [document.writing(settings)] }
    },
  })
