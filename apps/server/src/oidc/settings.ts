import { oidcDefaults, OidcConfigInput, type OidcConfig } from '@pulse/contract'
import { Secret } from '@pulse/domain'
import { endpointProblem, isLoopbackHost, type Reach } from '../outbound/addresses.ts'

/** The single sign-on settings in effect. */
export type OidcSettings = Omit<OidcConfig, 'clientSecretSet' | 'defaultRedirect' | 'envOverrides'> & {
  /** empty for a public client */
  clientSecret: Secret
}

export const defaultSettings: OidcSettings = {
  enabled: false,
  issuerUrl: '',
  clientId: '',
  clientSecret: new Secret(''),
  redirectUrl: '',
  logoutUrl: '',
  scopes: [...oidcDefaults.scopes],
  usernameClaim: oidcDefaults.usernameClaim,
  emailClaim: oidcDefaults.emailClaim,
  groupsClaim: '',
  allowedGroups: [],
  allowedDomains: [],
  allowedEmails: [],
  adminGroups: [],
  everyoneIsAdmin: false,
}

/**
 * An absent field stays unchanged, and an empty one is cleared. Only the secret, which no form can show, is
 * kept when blank.
 */
export function mergeSettings(
  old: OidcSettings,
  { clientSecret = '', clearClientSecret = false, ...changes }: OidcConfigInput,
): OidcSettings {
  const present = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const secret = clientSecret.trim()
  if (secret !== '') return { ...old, ...present, clientSecret: new Secret(secret) }
  return { ...old, ...present, clientSecret: clearClientSecret ? new Secret('') : old.clientSecret }
}

export const toStored = ({ clientSecret, ...rest }: OidcSettings) => ({
  ...rest,
  clientSecret: clientSecret.reveal(),
})

/**
 * Throws on input that `toStored` did not create. Before everyoneIsAdmin existed, every user was an
 * administrator while no groups were set. Such settings are read that way, so that the option is visible and
 * can be switched off.
 */
export function fromStored(value: unknown): OidcSettings {
  const stored = OidcConfigInput.parse(value)
  const everyoneIsAdmin = stored.everyoneIsAdmin ?? (stored.adminGroups ?? []).length === 0
  return mergeSettings(defaultSettings, { ...stored, everyoneIsAdmin })
}

export interface SettingsProblem {
  field: keyof OidcSettings
  message: string
}

/** The first problem of the settings. */
export function settingsProblem(settings: OidcSettings): SettingsProblem | undefined {
  const { enabled, issuerUrl, clientId, redirectUrl, logoutUrl, groupsClaim } = settings
  const checks: [keyof OidcSettings, string | false | undefined][] = [
    ['issuerUrl', enabled && issuerUrl === '' && 'The issuer URL is required.'],
    ['clientId', enabled && clientId === '' && 'The client ID is required.'],
    ['issuerUrl', issuerUrl !== '' && issuerProblem(issuerUrl)],
    ['redirectUrl', redirectUrl !== '' && pageProblem('redirect', redirectUrl)],
    ['logoutUrl', logoutUrl !== '' && pageProblem('logout', logoutUrl)],
    ['allowedEmails', wrongEntry(settings.allowedEmails, /^[^@\s]+@[^@\s]+$/, 'an email address')],
    ['allowedDomains', wrongEntry(settings.allowedDomains, /^@?[^@\s*]+$/, 'a domain such as example.com')],
  ]
  for (const field of ['allowedGroups', 'adminGroups'] as const) {
    const unreadable = enabled && groupsClaim === '' && settings[field].length > 0
    checks.push([field, unreadable && 'Enter the groups claim; groups cannot be read without it.'])
  }
  const found = checks.find(([, message]) => message)
  return found && { field: found[0], message: found[1] as string }
}

/** Loopback is allowed only if the administrator entered it as the issuer. */
export function reachOf({ issuerUrl }: Pick<OidcSettings, 'issuerUrl'>): Reach {
  const url = URL.parse(issuerUrl)
  return { loopback: url !== null && isLoopbackHost(url) }
}

function issuerProblem(issuerUrl: string): string | undefined {
  const problem = endpointProblem(issuerUrl, reachOf({ issuerUrl }))
  if (problem) return `The issuer URL cannot be used: ${problem}.`
  if (/[?#]/.test(issuerUrl)) return 'The issuer URL must have no query and no fragment.'
  if (issuerUrl.includes('/.well-known/')) {
    return 'Enter the issuer itself, without /.well-known/openid-configuration.'
  }
  return undefined
}

function pageProblem(which: 'redirect' | 'logout', text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) {
    return `The ${which} URL must be an address that begins with https:// or http://.`
  }
  if (which === 'redirect' && /[?#]/.test(text)) {
    return 'The redirect URL must have no query and no fragment.'
  }
  return undefined
}

function wrongEntry(entries: readonly string[], form: RegExp, what: string): string | undefined {
  const wrong = entries.find((entry) => !form.test(entry))
  return wrong === undefined ? undefined : `"${wrong}" is not ${what}.`
}
