import { type ImportChanges, OidcConfigInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import {
  fieldsOf,
  type Importer,
  invalidFile,
  type LegacyPart,
  listed,
  nothing,
  part,
  type Taken,
} from '../export-part.ts'
import type { OidcEnvironment } from './environment.ts'
import { fromStored, type OidcSettings, settingsProblem, toStored } from './settings.ts'
import type { Database } from '../db/database.ts'
import type { SettingsDocument } from '../settings-document.ts'

export interface SingleSignOnEdges {
  db: Database
  document: SettingsDocument<OidcSettings>
  env: OidcEnvironment
}

/** The single sign-on settings with the client's secret. An import replaces them as a whole. */
export const singleSignOnPart = ({ db, document, env }: SingleSignOnEdges) =>
  part({
    key: 'oidc',
    schema: OidcConfigInput,
    older: legacySingleSignOn,
    read: async () => OidcConfigInput.parse(toStored((await document.stored()).value)),
    async plan(exported, by) {
      const settings = fromStored(exported)
      const problem = settingsProblem(settings)
      if (problem) throw invalidFile(`oidc.${problem.field}`, problem.message)
      const { value: before, isDefault } = await document.stored()
      if (isDeepStrictEqual(settings, before)) return nothing
      if (Object.keys(env.overrides).length > 0) {
        return { ...nothing, notes: ['Single sign-on is configured by OIDC_ variables and is unchanged.'] }
      }
      const own = await issuerOf(db, by)
      if (own !== null && !(settings.enabled && settings.issuerUrl === own)) {
        return {
          ...nothing,
          notes: [
            'Single sign-on is unchanged, because you signed in with it and the import would lock you out.',
          ],
        }
      }
      return {
        summary: 'single sign-on',
        notes: [],
        changes:
          !isDefault && isDeepStrictEqual(admissionOf(before), admissionOf(settings))
            ? {}
            : { providers: providersOf(settings) },
        queries: [document.writing(settings)],
      }
    },
  })

/** The settings that decide who may sign in, and in which role. */
const admissionOf = (settings: OidcSettings) => {
  const { enabled, issuerUrl, adminGroups, everyoneIsAdmin } = settings
  const { allowedGroups, allowedDomains, allowedEmails, groupsClaim, emailClaim } = settings
  return [
    enabled,
    issuerUrl,
    adminGroups,
    everyoneIsAdmin,
    allowedGroups,
    allowedDomains,
    allowedEmails,
    groupsClaim,
    emailClaim,
  ]
}

/** The same as a text for the confirmation. */
function providersOf({ enabled, issuerUrl: issuer, ...who }: OidcSettings): ImportChanges['providers'] {
  if (!enabled) return []
  const { adminGroups, everyoneIsAdmin, allowedGroups, allowedDomains, allowedEmails } = who
  if (adminGroups.length > 0) {
    const lets = `members of ${listed(adminGroups)} as administrators, the others as viewers`
    return [{ issuer, lets }]
  }
  const isLimited = [allowedGroups, allowedDomains, allowedEmails].some((list) => list.length > 0)
  const people = isLimited ? 'every permitted user' : 'everybody'
  return [{ issuer, lets: `${people} as ${everyoneIsAdmin ? 'an administrator' : 'a viewer'}` }]
}

/** The provider of the importing user; null for users of other sign-in methods. */
async function issuerOf(db: Database, { userId }: Importer): Promise<string | null> {
  if (userId === undefined) return null
  const row = await db.query.selectFrom('users').select('issuer').where('id', '=', userId).executeTakeFirst()
  return row?.issuer ?? null
}

/** Single sign-on of Pulse 4.x, imported only if it admits no additional users. */
const legacySingleSignOn: LegacyPart<OidcConfigInput> = { field: 'oidc', take: toOidc }

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
  // Limits on users and roles must not become "all users".
  if (restricted.length > 0) {
    return {
      taken: undefined,
      notes: [`Single sign-on was left out because of its ${restricted.join(', ')}.`],
    }
  }
  // In Pulse 4.x every user who could sign in was an administrator. The import keeps that.
  const everyoneIsAdmin = ((values['adminGroups'] as string[] | undefined) ?? []).length === 0
  const note =
    'Every single sign-on user stays an administrator, as before: set administrator groups to change that.'
  return {
    taken: { ...values, everyoneIsAdmin },
    notes: everyoneIsAdmin ? [note] : [],
  }
}
