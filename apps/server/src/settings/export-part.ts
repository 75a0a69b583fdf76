import { systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { SettingsTable } from '../db/settings.ts'
import type { FixedSettings } from './environment.ts'
import { olderSystem } from './older.ts'
import { canonicalSettings, fromStored, mergeSettings, settingsProblems, toStored } from './settings.ts'
import { invalidFile, nothing, part } from '../export-part.ts'

/** The system settings, replaced as a whole. What the environment fixes goes on to be fixed. */
export const systemPart = ({ store, fixed }: { store: SettingsTable; fixed: FixedSettings }) =>
  part({
    key: 'system',
    schema: SystemSettingsInput,
    older: olderSystem,
    async read() {
      const text = await store.read('system')
      return text === undefined ? {} : fromStored(text)
    },
    async plan({ frontendPort: _frontend, backendPort: _backend, ...exported }) {
      const settings = canonicalSettings(exported)
      const alone = mergeSettings(systemDefaults, settings)
      const [problem] = [...settingsProblems(alone), ...settingsProblems(mergeSettings(alone, fixed.values))]
      if (problem) throw invalidFile(`system.${problem.field}`, problem.message)
      const before = await store.read('system')
      if (isDeepStrictEqual(settings, before === undefined ? {} : fromStored(before))) return nothing
      return {
        summary: 'system settings',
        notes: [],
        queries: [store.writing('system', toStored(settings))],
      }
    },
  })
