import { DiscoveryConfigInput, systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { type Fields, fieldsOf, leftOut, type LegacyPart, type Taken } from '../export-part.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from './settings.ts'

/** System settings of Pulse 4.x, field by field: an unusable one does not stop the import. */
export const legacySystem: LegacyPart<SystemSettingsInput> = { field: 'system', take: toSystem }

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
    notes: leftOut('system settings', left),
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
