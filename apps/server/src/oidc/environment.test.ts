import { describe, expect, test } from 'vitest'
import { StartupError } from '../startup-error.ts'
import { readOidcEnvironment } from './environment.ts'
import { anArea, secret } from './fixtures.ts'
import { memoryStore } from '../testing/memory-settings.ts'

const complete = {
  OIDC_ENABLED: 'true',
  OIDC_ISSUER_URL: 'http://127.0.0.1:9/realms/lab',
  OIDC_CLIENT_ID: 'pulse',
  OIDC_CLIENT_SECRET: secret,
  OIDC_REDIRECT_URL: 'https://pulse.example.test/api/oidc/callback',
  OIDC_LOGOUT_URL: 'https://id.example.test/out',
  OIDC_SCOPES: 'openid, email groups',
  OIDC_USERNAME_CLAIM: 'upn',
  OIDC_EMAIL_CLAIM: 'mail',
  OIDC_GROUPS_CLAIM: 'roles',
  OIDC_ALLOWED_GROUPS: 'ops,dev',
  OIDC_ALLOWED_DOMAINS: 'example.test',
  OIDC_ALLOWED_EMAILS: 'a@example.test b@example.test',
  OIDC_ADMIN_GROUPS: 'ops',
  OIDC_EVERYONE_IS_ADMIN: 'true',
}

test('[facts/platform 11.2] every variable has its effect, without anything stored', async () => {
  const { area } = await anArea({}, { env: complete })
  const fields = Object.keys(readOidcEnvironment(complete).values)
  expect(fields).toHaveLength(Object.keys(complete).length)
  expect(area.config()).toEqual({
    enabled: true,
    issuerUrl: 'http://127.0.0.1:9/realms/lab',
    clientId: 'pulse',
    clientSecretSet: true,
    redirectUrl: 'https://pulse.example.test/api/oidc/callback',
    defaultRedirect: '/api/oidc/callback',
    logoutUrl: 'https://id.example.test/out',
    scopes: ['openid', 'email', 'groups'],
    usernameClaim: 'upn',
    emailClaim: 'mail',
    groupsClaim: 'roles',
    allowedGroups: ['ops', 'dev'],
    allowedDomains: ['example.test'],
    allowedEmails: ['a@example.test', 'b@example.test'],
    adminGroups: ['ops'],
    everyoneIsAdmin: true,
    envOverrides: Object.fromEntries(fields.map((field) => [field, true])),
  })
  expect(area.status()).toMatchObject({ oidcEnabled: true, oidcLogoutURL: 'https://id.example.test/out' })
})

test.each(Object.keys(complete))('[facts/platform 6.2] %s alone locks the settings', async (name) => {
  const value = name === 'OIDC_ENABLED' ? 'false' : complete[name as keyof typeof complete]
  const { area, writes } = await anArea({}, { env: { [name]: value } })
  await expect(area.change({ clientId: 'other' })).rejects.toMatchObject({
    code: 'oidc_locked',
    statusCode: 409,
  })
  expect(Object.keys(area.config().envOverrides!)).toHaveLength(1)
  expect(area.status().oidcEnvOverrides).toEqual(area.config().envOverrides)
  expect(writes()).toBe(0)
})

test('[facts/platform 16.20] the environment lies over what is stored', async () => {
  const store = memoryStore()
  const issuerUrl = 'http://127.0.0.1:9'
  await anArea({ issuerUrl, clientId: 'stored', clientSecret: secret, usernameClaim: 'upn' }, { store })
  const { area } = await anArea({}, { store, env: { OIDC_ENABLED: 'true', OIDC_CLIENT_ID: 'pulse' } })
  expect(area.config()).toMatchObject({
    enabled: true,
    issuerUrl,
    clientId: 'pulse',
    clientSecretSet: true,
    usernameClaim: 'upn',
    envOverrides: { enabled: true, clientId: true },
  })
})

describe('on without saying so', () => {
  const both = { OIDC_ISSUER_URL: complete.OIDC_ISSUER_URL, OIDC_CLIENT_ID: 'pulse' }
  test.each<[string, NodeJS.ProcessEnv, boolean]>([
    ['issuer and client id', both, true],
    ['issuer and client id, but off', { ...both, OIDC_ENABLED: 'false' }, false],
    ['the issuer alone', { OIDC_ISSUER_URL: both.OIDC_ISSUER_URL }, false],
    ['blank variables', { ...both, OIDC_CLIENT_ID: ' ', OIDC_ENABLED: '' }, false],
  ])('%s: %s', async (_what, env, enabled) => {
    const { area, lines } = await anArea({}, { env })
    expect(area.enabled()).toBe(enabled)
    const isForgotten = !enabled && !env['OIDC_ENABLED']
    expect(lines.some((line) => line.includes('single sign-on is off'))).toBe(isForgotten)
  })
})

test.each<[string, NodeJS.ProcessEnv]>([
  ['OIDC_ENABLED', { OIDC_ENABLED: 'maybe' }],
  ['OIDC_ISSUER_URL', { OIDC_ISSUER_URL: 'id.example.test' }],
  ['OIDC_ISSUER_URL', { OIDC_ISSUER_URL: 'http://id.example.test' }],
  ['OIDC_ISSUER_URL', { OIDC_ISSUER_URL: 'https://169.254.169.254/' }],
  ['OIDC_REDIRECT_URL', { OIDC_REDIRECT_URL: '/callback' }],
  ['OIDC_LOGOUT_URL', { OIDC_LOGOUT_URL: 'javascript:alert(1)' }],
  ['OIDC_ALLOWED_EMAILS', { OIDC_ALLOWED_EMAILS: 'example.test' }],
  ['OIDC_ALLOWED_DOMAINS', { OIDC_ALLOWED_DOMAINS: 'a@example.test' }],
  ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: secret.repeat(200) }],
  ['OIDC_CLIENT_ID', { OIDC_ENABLED: 'true', OIDC_ISSUER_URL: 'http://127.0.0.1:9' }],
  ['OIDC_ISSUER_URL', { OIDC_ENABLED: 'true', OIDC_CLIENT_ID: 'pulse' }],
  ['OIDC_ADMIN_GROUPS', { ...complete, OIDC_GROUPS_CLAIM: '', OIDC_ALLOWED_GROUPS: '' }],
])('[threats: half a configuration] the server does not start with a wrong %s', async (name, env) => {
  const error: unknown = await anArea({}, { env }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StartupError)
  expect((error as Error).message).toContain(name)
  expect((error as Error).message).not.toContain(secret)
})
