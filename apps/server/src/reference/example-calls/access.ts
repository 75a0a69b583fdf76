import fs from 'node:fs'
import path from 'node:path'
import { sessionOf, signIn } from '../../testing/people.ts'
import { type Estate, oidcClient } from './fixtures.ts'

const password = 'a long passphrase'
/** the same password as in the reference */
const changedPassword = 'another long passphrase'
const noSession = {}

/** Creates the first account; later calls are made by its administrator. */
export async function setUp(estate: Estate) {
  const { call, server } = estate
  const token = fs.readFileSync(path.join(server.dataDir, '.bootstrap_token'), 'utf8').trim()
  const apiToken = '3f9a1c5d8e2b4706a1c93f5e7d8b2046c1e3a5f7092b4d6e8f0a1c3e5d7fb7d2'
  await call('postQuickSetup', {
    as: noSession,
    body: { username: 'admin', password, apiToken, setupToken: token },
  })
  estate.session = sessionOf((await call('postLogin', { as: noSession })).headers)
  await call('getSecurityStatus')
}

export async function askForAccess(estate: Estate) {
  const { call } = estate
  const { id } = (await call('postUser')).body as { id: string }
  await call('getUsers')
  await call('putUser', { params: { id } })
  await call('postResetLockout')
  await call('deleteUser', { params: { id } })
  await call('putPreferences')
  await call('getTokens')
  const made = (await call('postToken')).body as { token: string; record: { id: string } }
  await call('postValidateToken', { body: { token: made.token } })
  await call('deleteToken', { params: { id: made.record.id } })
  await call('getAudit', { query: { limit: '50' } })
}

export async function askForSingleSignOn({ call, provider }: Estate) {
  await call('getOidcConfig')
  await call('putOidcConfig', { body: { ...oidcClient, issuerUrl: provider.issuer, everyoneIsAdmin: true } })
  const begun = await call('postOidcLogin', { as: noSession })
  const { authorizationUrl } = begun.body as { authorizationUrl: string }
  const state = new URL(authorizationUrl).searchParams.get('state')!
  await call('getOidcCallback', { as: noSession, query: { code: 'SplxlOBeZQQYbYS6WxSbIA', state } })
}

/** Calls that remove objects which other calls need. */
export async function leave(estate: Estate) {
  const { call, server } = estate
  await call('postRegenerateToken')
  await call('postChangePassword')
  await call('postLogout', { as: await signIn(server, 'admin', changedPassword) })
}
