import type * as oidc from '../rest/oidc.ts'
import { oidcDefaults } from '../rest/oidc.ts'
import type * as preferences from '../rest/preferences.ts'
import type * as security from '../rest/security.ts'
import type * as session from '../rest/session.ts'
import type * as tokens from '../rest/tokens.ts'
import type { Reference } from './about.ts'
import { aSecretToken, aToken, now } from './samples.ts'

const success = true as const
const password = 'what nobody else guesses'
const user = {
  id: '7e0b1c7e-8a0d-4f3b-9a55-3f0f0b7f4d21',
  name: 'vera',
  role: 'viewer',
  source: 'local',
  createdAt: '2026-09-01T08:00:00Z',
} as const
const params = { id: user.id }
const fixed = ['locked_by_environment'] as const
const missing = ['not_found'] as const

export const sessions = {
  postLogin: {
    summary: 'Sign in',
    body: { username: 'admin', password },
    reply: { success, message: 'Login successful' },
    errors: ['invalid_credentials', 'account_locked'],
  },
  postLogout: { summary: 'Sign out', reply: { success, message: 'Logged out' } },
} satisfies Reference<typeof session>

export const accounts = {
  getSecurityStatus: {
    summary: 'Tell how people sign in here, and who is asking',
    reply: {
      hasAuthentication: true,
      requiresAuth: true,
      configuredButPendingRestart: false,
      oidcEnabled: false,
      hasProxyAuth: false,
      hasHTTPS: true,
      publicAccess: false,
      isPrivateNetwork: true,
      isTrustedNetwork: false,
    },
  },
  postQuickSetup: {
    summary: 'Set up the first account, or replace the credentials of an administrator',
    body: { username: 'admin', password, apiToken: aSecretToken, setupToken: 'from the console' },
    reply: { success, message: 'Security has been set up.', method: 'stored' },
    errors: ['invalid_setup_token', 'forbidden', 'authentication_required', ...fixed],
  },
  postChangePassword: {
    summary: 'Change the own password',
    body: { currentPassword: password, newPassword: 'what nobody guesses either' },
    reply: { success, message: 'Password changed' },
    errors: ['invalid_credentials', 'account_locked', 'conflict', ...fixed],
  },
  postResetLockout: {
    summary: 'Let somebody try to sign in again',
    body: { identifier: 'vera' },
    reply: { success, message: 'Lockout reset' },
  },
  getUsers: { summary: 'List the accounts', reply: { users: [user] } },
  postUser: {
    summary: 'Add an account',
    body: { name: user.name, password, role: user.role },
    reply: user,
    errors: ['duplicate_name', 'conflict'],
  },
  putUser: {
    summary: 'Change an account',
    params,
    body: { role: 'admin' },
    reply: { ...user, role: 'admin' },
    errors: ['last_administrator', 'conflict', ...missing, ...fixed],
  },
  deleteUser: {
    summary: 'Remove an account',
    params,
    query: { tokens: 'end' },
    reply: { success, message: 'vera was removed', tokens: { ended: [], kept: [] } },
    errors: ['last_administrator', 'conflict', ...missing, ...fixed],
  },
  getAudit: {
    summary: 'Read the audit log',
    query: { limit: 50, event: 'login_failed' },
    reply: {
      events: [
        {
          id: '01K5P1Z9Q4',
          time: now,
          event: 'login_failed',
          success: false,
          actor: 'vera',
          method: 'session',
          address: '192.0.2.50',
        },
      ],
    },
  },
} satisfies Reference<typeof security>

export const apiTokens = {
  getTokens: { summary: 'List the API tokens', reply: { tokens: [aToken] } },
  postToken: {
    summary: 'Make an API token',
    body: { name: aToken.name, scopes: aToken.scopes },
    reply: { token: aSecretToken, record: aToken },
    errors: ['conflict'],
  },
  deleteToken: { summary: 'Revoke an API token', params: { id: aToken.id }, errors: [...missing, ...fixed] },
  postRegenerateToken: {
    summary: 'Make one API token in the place of all others',
    reply: {
      success,
      token: aSecretToken,
      deploymentType: 'systemd',
      requiresRestart: false,
      message: 'New API token generated',
    },
  },
  postValidateToken: {
    summary: 'Tell whether something is an API token',
    body: { token: aSecretToken },
    reply: { valid: true, message: 'Token is valid' },
  },
} satisfies Reference<typeof tokens>

const provider = {
  enabled: true,
  issuerUrl: 'https://id.example.com',
  clientId: 'pulse',
  redirectUrl: '',
  logoutUrl: '',
  scopes: [...oidcDefaults.scopes],
  usernameClaim: oidcDefaults.usernameClaim,
  emailClaim: oidcDefaults.emailClaim,
  groupsClaim: 'groups',
  allowedGroups: [],
  allowedDomains: ['example.com'],
  allowedEmails: [],
  adminGroups: ['operators'],
  everyoneIsAdmin: false,
  clientSecretSet: true,
  defaultRedirect: `https://pulse.example.com${oidcDefaults.callbackPath}`,
}

export const singleSignOn = {
  getOidcConfig: { summary: 'Read the settings of single sign-on', reply: provider },
  putOidcConfig: {
    summary: 'Change the settings of single sign-on',
    body: { adminGroups: provider.adminGroups },
    reply: provider,
    errors: ['oidc_locked', 'secret_required'],
  },
  postOidcLogin: {
    summary: 'Begin a single sign-on',
    body: { returnTo: '/' },
    reply: { authorizationUrl: 'https://id.example.com/authorize?client_id=pulse' },
    errors: ['not_found', 'provider_unreachable'],
  },
  getOidcCallback: {
    summary: 'Come back from the provider',
    query: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' },
  },
} satisfies Reference<typeof oidc>

export const choices = {
  putPreferences: {
    summary: 'Choose the look of the own pages',
    body: { theme: 'dark' },
    reply: { success },
  },
} satisfies Reference<typeof preferences>
