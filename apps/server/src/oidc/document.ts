import { type ImportChanges, OidcConfigInput } from '@pulse/contract'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../db/database.ts'
import { invalidFile, listed } from '../export-part.ts'
import type { SettingsDefinition } from '../settings-document.ts'
import type { OidcEnvironment } from './environment.ts'
import { legacySingleSignOn } from './legacy.ts'
import { defaultSettings, fromStored, type OidcSettings, settingsProblem, toStored } from './settings.ts'

export interface OidcDocumentEdges {
  env: OidcEnvironment
  /** The provider of an account; null for accounts with another sign-in method. */
  issuerOf: (userId: string) => Promise<string | null>
}

/** The stored settings of single sign-on, without the settings of the environment. */
export const oidcDocument = ({ env, issuerOf }: OidcDocumentEdges): SettingsDefinition<OidcSettings> => ({
  key: 'oidc',
  name: 'single sign-on settings',
  defaults: () => defaultSettings,
  parse(stored) {
    const settings = fromStored(stored)
    // settings that the environment completes need not work alone
    const problem = isFixed(env) ? undefined : settingsProblem(settings)
    if (problem) throw new Error(problem.message)
    return settings
  },
  serialize: toStored,
  // without one of its lists, single sign-on might admit strangers, so it is off
  setAside: 'whole',
  exported: {
    key: 'oidc',
    schema: OidcConfigInput,
    older: legacySingleSignOn,
    read(exported) {
      const settings = fromStored(exported)
      const problem = settingsProblem(settings)
      if (problem) throw invalidFile(`oidc.${problem.field}`, problem.message)
      return settings
    },
    async plan(settings, { value: before, isDefault, isSame }, { userId }) {
      if (isSame) return {}
      if (isFixed(env))
        return { notes: ['Single sign-on is configured by OIDC_ variables and is unchanged.'] }
      const own = userId === undefined ? null : await issuerOf(userId)
      if (own !== null && !(settings.enabled && settings.issuerUrl === own)) {
        return {
          notes: [
            'Single sign-on is unchanged, because you signed in with it and the import would lock you out.',
          ],
        }
      }
      const isAdmissionSame = isDeepStrictEqual(admissionOf(before), admissionOf(settings))
      return {
        settings,
        summary: 'single sign-on',
        changes: !isDefault && isAdmissionSame ? {} : { providers: providersOf(settings) },
      }
    },
  },
})

const isFixed = ({ overrides }: OidcEnvironment) => Object.keys(overrides).length > 0

/** The settings that decide who may sign in, and with which role. */
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

export const issuerIn =
  ({ query }: Database): OidcDocumentEdges['issuerOf'] =>
  async (userId) => {
    const row = await query.selectFrom('users').select('issuer').where('id', '=', userId).executeTakeFirst()
    return row?.issuer ?? null
  }
