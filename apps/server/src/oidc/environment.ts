import { OidcConfigInput } from '@pulse/contract'
import { StartupError } from '../startup-error.ts'
import { defaultSettings, mergeSettings, settingsProblem } from './settings.ts'

/** The settings in OIDC_* variables. A single one locks the form. */
export interface OidcEnvironment {
  values: OidcConfigInput
  overrides: Record<string, boolean>
}

type Field = Exclude<keyof OidcConfigInput, 'clearClientSecret'>

const variables: Record<Field, string> = {
  enabled: 'OIDC_ENABLED',
  issuerUrl: 'OIDC_ISSUER_URL',
  clientId: 'OIDC_CLIENT_ID',
  clientSecret: 'OIDC_CLIENT_SECRET',
  redirectUrl: 'OIDC_REDIRECT_URL',
  logoutUrl: 'OIDC_LOGOUT_URL',
  scopes: 'OIDC_SCOPES',
  usernameClaim: 'OIDC_USERNAME_CLAIM',
  emailClaim: 'OIDC_EMAIL_CLAIM',
  groupsClaim: 'OIDC_GROUPS_CLAIM',
  allowedGroups: 'OIDC_ALLOWED_GROUPS',
  allowedDomains: 'OIDC_ALLOWED_DOMAINS',
  allowedEmails: 'OIDC_ALLOWED_EMAILS',
  adminGroups: 'OIDC_ADMIN_GROUPS',
  everyoneIsAdmin: 'OIDC_EVERYONE_IS_ADMIN',
}

/** Throws StartupError on an invalid value: a typing error must not become a default. */
export function readOidcEnvironment(env: NodeJS.ProcessEnv): OidcEnvironment {
  const values: Record<string, unknown> = {}
  const overrides: Record<string, boolean> = {}
  for (const [field, name] of Object.entries(variables) as [Field, string][]) {
    const text = env[name]?.trim()
    if (!text) continue
    values[field] = parse(field, name, text)
    overrides[field] = true
  }
  if (values['issuerUrl'] && values['clientId']) values['enabled'] ??= true
  const parsed = OidcConfigInput.safeParse(values)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw unusable(path[0] as Field, message)
  }
  // Only the stored settings show whether the whole is complete.
  const problem = settingsProblem(mergeSettings(defaultSettings, { ...parsed.data, enabled: false }))
  if (problem) throw unusable(problem.field, problem.message)
  return { values: parsed.data, overrides }
}

/** Variables take precedence over pulse.yaml. */
export const withDeclaredOidc = (env: OidcEnvironment, declared: OidcConfigInput): OidcEnvironment => ({
  values: { ...declared, ...env.values },
  overrides: { ...Object.fromEntries(Object.keys(declared).map((field) => [field, true])), ...env.overrides },
})

export const unusable = (field: Field, problem: string): StartupError =>
  new StartupError(
    `${variables[field]} cannot be used: ${problem}`,
    'Correct it, or unset all OIDC_ variables to set up single sign-on in the settings.',
  )

function parse(field: Field, name: string, text: string): unknown {
  if (field === 'enabled' || field === 'everyoneIsAdmin') {
    if (/^(true|1|yes|on)$/i.test(text)) return true
    if (/^(false|0|no|off)$/i.test(text)) return false
    throw new StartupError(`${name} is neither true nor false.`, 'Use true or false.')
  }
  return Array.isArray(defaultSettings[field]) ? text.split(/[,\s]+/).filter((entry) => entry !== '') : text
}
