import { DiscoveryConfigInput, systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import {
  type Fields,
  fieldsOf,
  invalidFile,
  type LegacyPart,
  listed,
  nothing,
  part,
  type Taken,
} from '../export-part.ts'
import type { SettingsDocument } from '../settings-document.ts'
import type { FixedSettings } from './environment.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from './settings.ts'

/** The system settings. An import replaces them as a whole; values that the environment fixes stay fixed. */
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

/** System settings of Pulse 4.x, read field by field: an invalid field does not stop the import. */
const legacySystem: LegacyPart<SystemSettingsInput> = { field: 'system', take: toSystem }

function toSystem(value: unknown): Taken<SystemSettingsInput | undefined> {
  const { discoveryConfig, frontendPort: _frontend, backendPort: _backend, ...rest } = fieldsOf(value)
  const top = fitting(rest, SystemSettingsInput)
  const nested = fitting(fieldsOf(discoveryConfig), DiscoveryConfigInput)
  let settings = canonicalSettings({
    ...top.taken,
    ...(Object.keys(nested.taken).length > 0 ? { discoveryConfig: nested.taken } : {}),
  } as SystemSettingsInput)
  const left = [...top.left, ...nested.left]
  for (;;) {
    const [problem] = settingsProblems(mergeSettings(systemDefaults, settings))
    const field = problem?.field.split('.')[0]
    if (field === undefined || !Object.hasOwn(settings, field)) break
    settings = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== field))
    left.push(field)
  }
  return {
    taken: Object.keys(settings).length > 0 ? settings : undefined,
    notes: left.length > 0 ? [`Invalid system settings were left out: ${listed(left)}.`] : [],
  }
}

/** In Pulse 4.x an empty text and a zero mean "not set". */
const isUnset = (value: unknown) => value === '' || value === 0 || value === null

function fitting(fields: Fields, schema: typeof SystemSettingsInput | typeof DiscoveryConfigInput) {
  const taken: Fields = {}
  const left: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const result = schema.safeParse({ [name]: value })
    if (result.success) Object.assign(taken, result.data)
    else if (!isUnset(value) && !result.error.issues.some(({ code }) => code === 'unrecognized_keys'))
      left.push(name)
  }
  return { taken, left }
}
