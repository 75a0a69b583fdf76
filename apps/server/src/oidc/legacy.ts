import { OidcConfigInput } from '@pulse/contract'
import { fieldsOf, type LegacyPart, type Taken } from '../export-part.ts'
import { fromStored, settingsProblem } from './settings.ts'

/** Reads the single sign-on settings of Pulse 4.x, unless they would admit more people than before. */
export const legacySingleSignOn: LegacyPart<OidcConfigInput> = { field: 'oidc', take: toOidc }

function toOidc(value: unknown): Taken<OidcConfigInput | undefined> {
  const older = fieldsOf(value)
  const known = Object.entries(older).filter(
    ([name, value]) => value !== null && OidcConfigInput.safeParse({ [name]: value }).success,
  )
  const values = Object.fromEntries(known)
  if (values['issuerUrl'] === undefined || values['issuerUrl'] === '') return { taken: undefined, notes: [] }
  const problem = settingsProblem(fromStored(values))
  if (problem) return { taken: undefined, notes: [`Single sign-on was left out: ${problem.message}`] }
  const restricted = ['allowedGroups', 'allowedDomains', 'allowedEmails'].filter(
    (name) =>
      Array.isArray(older[name]) && (older[name] as unknown[]).length > 0 && values[name] === undefined,
  )
  if (Object.keys(fieldsOf(older['groupRoleMappings'])).length > 0) restricted.push('groupRoleMappings')
  // A limit on users or roles must never widen to all users.
  if (restricted.length > 0) {
    return {
      taken: undefined,
      notes: [`Single sign-on was left out because of its ${restricted.join(', ')}.`],
    }
  }
  // In Pulse 4.x every user who could sign in was an administrator; no user loses rights by moving.
  const everyoneIsAdmin = ((values['adminGroups'] as string[] | undefined) ?? []).length === 0
  const note =
    'Every single sign-on user stays an administrator, as before: set administrator groups to change that.'
  return {
    taken: { ...values, everyoneIsAdmin },
    notes: everyoneIsAdmin ? [note] : [],
  }
}
