import { type ImportChanges, OidcConfigInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { OidcEnvironment } from './environment.ts'
import { legacySingleSignOn } from './legacy.ts'
import { fromStored, type OidcSettings, settingsProblem, toStored } from './settings.ts'
import type { Database } from '../db/database.ts'
import { invalidFile, type Importer, listed, nothing, part } from '../export-part.ts'
import type { SettingsDocument } from '../settings-document.ts'

export interface SingleSignOnEdges {
  db: Database
  document: SettingsDocument<OidcSettings>
  env: OidcEnvironment
}

/** The settings of single sign-on with the client's secret, replaced as a whole. */
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

/** What decides who may come in, and as what. */
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

/** The same in words. */
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
