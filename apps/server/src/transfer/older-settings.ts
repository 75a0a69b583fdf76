import { DiscoveryConfigInput, OidcConfigInput, systemDefaults, SystemSettingsInput } from '@pulse/contract'
import { fromStored, settingsProblem } from '../oidc/settings.ts'
import { canonicalSettings, mergeSettings, settingsProblems } from '../settings/settings.ts'
import { listed } from '../export-part.ts'

type Fields = Record<string, unknown>

/** System settings and single sign-on of Pulse 4.x, field by field: one that does not fit keeps nobody from moving. */
export function olderSettings(older: { system?: unknown; oidc?: unknown }) {
  const system = toSystem(fieldsOf(older.system))
  const oidc = toOidc(fieldsOf(older.oidc))
  return {
    values: { ...system.values, ...oidc.values },
    notes: [...system.notes, ...oidc.notes],
  }
}

function toSystem(older: Fields) {
  const { discoveryConfig, frontendPort: _frontend, backendPort: _backend, ...rest } = older
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
    values: Object.keys(settings).length > 0 ? { system: settings } : {},
    notes:
      left.length > 0 ? [`System settings that cannot be used here were left out: ${listed(left)}.`] : [],
  }
}

/** There an empty text and a zero mean that nothing was set. */
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

function toOidc(older: Fields) {
  const known = Object.entries(older).filter(
    ([name, value]) => value !== null && OidcConfigInput.safeParse({ [name]: value }).success,
  )
  const values = Object.fromEntries(known)
  if (values['issuerUrl'] === undefined || values['issuerUrl'] === '') return { values: {}, notes: [] }
  const problem = settingsProblem(fromStored(JSON.stringify(values)))
  if (problem) return { values: {}, notes: [`Single sign-on was left out: ${problem.message}`] }
  const restricted = ['allowedGroups', 'allowedDomains', 'allowedEmails'].filter(
    (name) =>
      Array.isArray(older[name]) && (older[name] as unknown[]).length > 0 && values[name] === undefined,
  )
  if (Object.keys(fieldsOf(older['groupRoleMappings'])).length > 0) restricted.push('groupRoleMappings')
  // What limits who may enter, and as what, must not become "everybody".
  if (restricted.length > 0) {
    return { values: {}, notes: [`Single sign-on was left out, because of its ${restricted.join(', ')}.`] }
  }
  // There everybody who could sign in was an administrator, and nobody shall lose a right by moving.
  const everyoneIsAdmin = ((values['adminGroups'] as string[] | undefined) ?? []).length === 0
  const note =
    'Whoever signs in by single sign-on stays an administrator, as before: name administrator groups to change that.'
  return {
    values: { oidc: { ...values, everyoneIsAdmin } },
    notes: everyoneIsAdmin ? [note] : [],
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
