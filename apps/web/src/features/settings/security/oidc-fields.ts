import { oidcDefaults } from '@pulse/contract'
import type { OidcTextField } from './oidc-form.ts'

interface FieldText {
  name: OidcTextField
  label: string
  hint?: string
  placeholder?: string
}

const listHint = 'Separate several with commas or spaces.'

/** In display order; the client secret follows the first group. */
export const providerFields: readonly FieldText[] = [
  {
    name: 'issuerUrl',
    label: 'Issuer URL',
    placeholder: 'https://id.example.org/realms/home',
    hint: 'Exactly as the provider states it.',
  },
  { name: 'clientId', label: 'Client ID', placeholder: 'pulse' },
]

export const addressFields: readonly FieldText[] = [
  { name: 'redirectUrl', label: 'Redirect URL' },
  {
    name: 'logoutUrl',
    label: 'Logout URL',
    hint: 'Where users go after signing out. Empty: only the Pulse session ends.',
  },
]

export const claimFields: readonly FieldText[] = [
  { name: 'scopes', label: 'Scopes', placeholder: oidcDefaults.scopes.join(', '), hint: listHint },
  { name: 'usernameClaim', label: 'Username claim', placeholder: oidcDefaults.usernameClaim },
  { name: 'emailClaim', label: 'Email claim', placeholder: oidcDefaults.emailClaim },
  { name: 'groupsClaim', label: 'Groups claim', placeholder: 'groups', hint: 'Empty: no groups are read.' },
]

export const restrictionFields: readonly FieldText[] = [
  { name: 'allowedGroups', label: 'Allowed groups', hint: `Empty: every group. ${listHint}` },
  { name: 'allowedDomains', label: 'Allowed domains', hint: `Empty: every domain. ${listHint}` },
  { name: 'allowedEmails', label: 'Allowed emails', hint: `Empty: every address. ${listHint}` },
  {
    name: 'adminGroups',
    label: 'Administrator groups',
    hint: `Their members are administrators, the others viewers. ${listHint}`,
  },
]

export const fieldLabels: Readonly<Record<string, string>> = {
  enabled: 'Enable single sign-on',
  clientSecret: 'Client secret',
  everyoneIsAdmin: 'Everyone is an administrator',
  ...Object.fromEntries(
    [...providerFields, ...addressFields, ...claimFields, ...restrictionFields].map(({ name, label }) => [
      name,
      label,
    ]),
  ),
}
