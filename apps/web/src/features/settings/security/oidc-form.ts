import { type OidcConfig, type OidcConfigInput, oidcDefaults } from '@pulse/contract'
import { mayKeepSecret } from '@pulse/domain'

const textFields = [
  'issuerUrl',
  'clientId',
  'redirectUrl',
  'logoutUrl',
  'usernameClaim',
  'emailClaim',
  'groupsClaim',
] as const
const listFields = ['scopes', 'allowedGroups', 'allowedDomains', 'allowedEmails', 'adminGroups'] as const

export type OidcTextField = (typeof textFields)[number] | (typeof listFields)[number]

/** As typed: a list is one line of text. */
export interface OidcForm extends Record<OidcTextField, string> {
  enabled: boolean
  everyoneIsAdmin: boolean
  clientSecret: string
  clearClientSecret: boolean
}

export function toForm(config: OidcConfig): OidcForm {
  const texts = Object.fromEntries(textFields.map((name) => [name, config[name]]))
  const lists = Object.fromEntries(listFields.map((name) => [name, config[name].join(', ')]))
  return {
    ...(texts as Record<(typeof textFields)[number], string>),
    ...(lists as Record<(typeof listFields)[number], string>),
    enabled: config.enabled,
    everyoneIsAdmin: config.everyoneIsAdmin,
    clientSecret: '',
    clearClientSecret: false,
  }
}

/** Splits on commas and white space. */
const toList = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** A blank secret keeps the stored one. Empty scopes and claims get their defaults. */
export function toInput(form: OidcForm): OidcConfigInput {
  const { enabled, clientSecret, clearClientSecret } = form
  return {
    enabled,
    issuerUrl: form.issuerUrl.trim(),
    clientId: form.clientId.trim(),
    redirectUrl: form.redirectUrl.trim(),
    logoutUrl: form.logoutUrl.trim(),
    scopes: orDefault(toList(form.scopes), oidcDefaults.scopes),
    usernameClaim: form.usernameClaim.trim() || oidcDefaults.usernameClaim,
    emailClaim: form.emailClaim.trim() || oidcDefaults.emailClaim,
    groupsClaim: form.groupsClaim.trim(),
    allowedGroups: toList(form.allowedGroups),
    allowedDomains: toList(form.allowedDomains),
    allowedEmails: toList(form.allowedEmails),
    adminGroups: toList(form.adminGroups),
    everyoneIsAdmin: form.everyoneIsAdmin,
    ...(clearClientSecret ? { clearClientSecret } : clientSecret && { clientSecret }),
  }
}

const orDefault = (list: string[], usual: readonly string[]) => (list.length > 0 ? list : [...usual])

export type OidcProblems = Partial<Record<OidcTextField | 'clientSecret', string>>

/** Checks required fields only while enabled. */
export function oidcProblems(form: OidcForm, stored: OidcConfig): OidcProblems {
  const { enabled, issuerUrl, clientId, clientSecret, clearClientSecret } = form
  const mustRepeat = isMoved(form, stored) && !clientSecret.trim() && !clearClientSecret
  return {
    ...(enabled && !issuerUrl.trim() && { issuerUrl: 'Issuer URL is required' }),
    ...(enabled && !clientId.trim() && { clientId: 'Client ID is required' }),
    ...(mustRepeat && {
      clientSecret: 'Enter the client secret again, or clear it: the stored one belongs to another issuer.',
    }),
  }
}

/** The stored secret belongs to another issuer. */
export const isMoved = ({ issuerUrl }: OidcForm, stored: OidcConfig): boolean =>
  stored.clientSecretSet && !mayKeepSecret({ address: stored.issuerUrl }, { address: issuerUrl.trim() })

/** Fields fixed by environment variables. */
export const lockedFields = ({ envOverrides = {} }: Pick<OidcConfig, 'envOverrides'>): string[] =>
  Object.keys(envOverrides).filter((name) => envOverrides[name])
