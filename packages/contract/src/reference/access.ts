import type * as oidc from '../rest/oidc.ts'
import type * as preferences from '../rest/preferences.ts'
import type * as security from '../rest/security.ts'
import type * as session from '../rest/session.ts'
import type * as tokens from '../rest/tokens.ts'
import type { Reference } from './about.ts'
import { aSecretToken, aToken } from './samples.ts'

const password = 'a long passphrase'
const user = { name: 'vera', role: 'viewer' } as const
const params = { id: '7e0b1c7e-8a0d-4f3b-9a55-3f0f0b7f4d21' }
const fixed = ['locked_by_environment'] as const
const missing = ['not_found'] as const

export const sessions = {
  postLogin: {
    summary: 'Sign in',
    body: { username: 'admin', password },
    errors: ['invalid_credentials', 'account_locked'],
  },
  postLogout: { summary: 'Sign out' },
} satisfies Reference<typeof session>

export const accounts = {
  getSecurityStatus: { summary: 'Get the sign-in methods and the current user' },
  postQuickSetup: {
    summary: 'Set up the first account, or replace the credentials of an administrator',
    body: { username: 'admin', password, apiToken: aSecretToken, setupToken: 'from the console' },
    errors: ['invalid_setup_token', 'forbidden', 'authentication_required', ...fixed],
  },
  postChangePassword: {
    summary: 'Change your password',
    body: { currentPassword: password, newPassword: 'another long passphrase' },
    errors: ['invalid_credentials', 'account_locked', 'conflict', ...fixed],
  },
  postResetLockout: {
    summary: 'Unlock an account',
    body: { identifier: 'vera' },
  },
  getUsers: { summary: 'List the accounts' },
  postUser: {
    summary: 'Add an account',
    body: { name: user.name, password, role: user.role },
    errors: ['duplicate_name', 'conflict'],
  },
  putUser: {
    summary: 'Change an account',
    params,
    body: { role: 'admin' },
    errors: ['last_administrator', 'conflict', ...missing, ...fixed],
  },
  deleteUser: {
    summary: 'Remove an account',
    params,
    query: { tokens: 'end' },
    errors: ['last_administrator', 'conflict', ...missing, ...fixed],
  },
  getAudit: {
    summary: 'Read the audit log',
    query: { limit: 50, event: 'login_failed' },
  },
} satisfies Reference<typeof security>

export const apiTokens = {
  getTokens: { summary: 'List the API tokens' },
  postToken: {
    summary: 'Create an API token',
    body: { name: aToken.name, scopes: aToken.scopes },
    errors: ['conflict'],
  },
  deleteToken: { summary: 'Revoke an API token', params: { id: aToken.id }, errors: [...missing, ...fixed] },
  postRegenerateToken: { summary: 'Replace all API tokens by a new one' },
  postValidateToken: {
    summary: 'Validate an API token',
    body: { token: aSecretToken },
  },
} satisfies Reference<typeof tokens>

export const singleSignOn = {
  getOidcConfig: { summary: 'Read the settings of single sign-on' },
  putOidcConfig: {
    summary: 'Change the settings of single sign-on',
    body: { adminGroups: ['operators'] },
    errors: ['oidc_locked', 'secret_required'],
  },
  postOidcLogin: {
    summary: 'Start single sign-on',
    body: { returnTo: '/' },
    errors: ['not_found', 'provider_unreachable'],
  },
  getOidcCallback: {
    summary: 'Receive the callback of the identity provider',
    query: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' },
  },
} satisfies Reference<typeof oidc>

export const choices = {
  putPreferences: {
    summary: 'Change your display preferences',
    body: { theme: 'dark' },
  },
} satisfies Reference<typeof preferences>
