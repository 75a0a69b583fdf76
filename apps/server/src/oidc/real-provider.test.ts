import type { OidcConfigInput } from '@pulse/contract'
import { type OidcProvider, type OidcUser, startOidcProvider } from '@pulse/lab'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { aBrowser, anArea, callbackUrl, person, publicUrl, secret } from './fixtures.ts'
import { within } from '../../../../scripts/test-limits.ts'

const alice: OidcUser = { ...person, name: 'Alice Example', password: 'alice-password' }
const bob: OidcUser = {
  sub: 'u-2',
  preferred_username: 'bob',
  password: 'bob-password',
  email: 'bob@example.test',
}
const opened: OidcProvider[] = []
afterEach(() => Promise.all(opened.splice(0).map((provider) => provider.close())))

type Options = Partial<Parameters<typeof startOidcProvider>[0]>

async function begun(settings: OidcConfigInput = {}, options: Options = {}) {
  const provider = await startOidcProvider({
    clientId: 'pulse',
    clientSecret: secret,
    redirectUris: [callbackUrl],
    users: [alice, bob],
    ...options,
  })
  opened.push(provider)
  const given = await anArea({
    enabled: true,
    issuerUrl: provider.issuer,
    clientId: 'pulse',
    clientSecret: secret,
    scopes: ['openid', 'profile', 'email', 'groups'],
    groupsClaim: 'groups',
    ...settings,
  })
  const browser = aBrowser((url) => url.href.startsWith(callbackUrl))

  async function toLogin(returnTo = '/storage') {
    const { authorizationUrl, browserKey } = await given.area.begin({ returnTo, publicUrl })
    return { page: await browser.open(authorizationUrl), browserKey, authorizationUrl }
  }
  async function signIn(username = 'alice', password = 'alice-password') {
    const { page, browserKey } = await toLogin()
    const { url } = await browser.submit(page, { username, password })
    return given.area.finish({ query: Object.fromEntries(url.searchParams), browserKey })
  }
  return { ...given, provider, browser, toLogin, signIn }
}

test('[S7] a user signs in at a real provider', async () => {
  const { signIn, provider } = await begun({ adminGroups: ['ops'] })
  expect(await signIn()).toEqual({
    ok: true,
    returnTo: '/storage',
    identity: {
      issuer: provider.issuer,
      subject: 'u-1',
      name: 'alice',
      email: 'alice@example.test',
      role: 'admin',
    },
  })
  expect(await (await begun({ adminGroups: ['ops'] })).signIn('bob', 'bob-password')).toMatchObject({
    ok: true,
    identity: { subject: 'u-2', name: 'bob', role: 'viewer' },
  })
})

test('[facts/platform 6.2] the browser is sent with state, nonce and a proof key of its own each time', async () => {
  const { toLogin } = await begun({ scopes: ['email'] })
  const asked = await Promise.all([toLogin(), toLogin()])
  const [first, second] = asked.map(({ authorizationUrl }) => new URL(authorizationUrl).searchParams)
  expect(Object.fromEntries(first!)).toMatchObject({
    response_type: 'code',
    client_id: 'pulse',
    redirect_uri: callbackUrl,
    scope: 'openid email',
    code_challenge_method: 'S256',
  })
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(Buffer.from(first!.get(name)!, 'base64url')).toHaveLength(32)
    expect(first!.get(name)).not.toBe(second!.get(name))
  }
})

describe('[S7] it works', () => {
  test.each<[string, OidcConfigInput, Options]>([
    ['with the claims in the ID token', {}, { claimsInIdToken: true }],
    ['with PS256', {}, { idTokenAlg: 'PS256' }],
    ['with ES256', {}, { idTokenAlg: 'ES256' }],
    ['with a configured redirect', { redirectUrl: callbackUrl }, {}],
    [
      'with a secret that has to be escaped',
      { clientSecret: 'a+b/c:d%e ~._-' },
      { clientSecret: 'a+b/c:d%e ~._-' },
    ],
  ])('%s', async (_what, settings, options) => {
    expect(await (await begun(settings, options)).signIn()).toMatchObject({
      ok: true,
      identity: { name: 'alice' },
    })
  })

  test('as a public client, without any secret', async () => {
    const { signIn } = await begun({ clientSecret: '', clearClientSecret: true }, { clientSecret: '' })
    expect(await signIn()).toMatchObject({ ok: true, identity: { name: 'alice' } })
  })
})

test('[spec 1 §8] a provider that signs with HS256 is recognized', async () => {
  const { signIn } = await begun({}, { idTokenAlg: 'HS256' })
  expect(await signIn()).toMatchObject({ ok: false, code: 'invalid_signature_alg' })
})

test('[S7] a wrong secret ends as exchange_failed, and does not show anywhere', async () => {
  const { signIn, lines } = await begun({ clientSecret: 'canary-wrong-secret' })
  const outcome = await signIn()
  expect(outcome).toMatchObject({ ok: false, code: 'exchange_failed' })
  expect(JSON.stringify([outcome, lines])).not.toContain('canary')
})

test('[S7] a wrong password stays at the provider, a cancelled sign-in comes back', async () => {
  const { toLogin, browser, area } = await begun()
  const { page, browserKey } = await toLogin()
  const again = await browser.submit(page, { username: 'alice', password: 'wrong' })
  expect(again).toMatchObject({ status: 401, html: expect.stringContaining('Wrong username or password') })
  const { url } = await browser.submit(again, { answer: 'cancel' })
  expect(await area.finish({ query: Object.fromEntries(url.searchParams), browserKey })).toMatchObject({
    ok: false,
    code: 'access_denied',
    returnTo: '/storage',
  })
})

test('[S7] who is not on the list is named to the log, and stays out', async () => {
  const { signIn } = await begun({ allowedEmails: ['bob@example.test'] })
  expect(await signIn()).toMatchObject({ ok: false, code: 'email_restricted', who: 'alice' })
  // bob's address is allowed, but the provider has not verified it
  expect(
    await (await begun({ allowedEmails: ['bob@example.test'] })).signIn('bob', 'bob-password'),
  ).toMatchObject({
    ok: false,
    code: 'email_restricted',
    who: 'bob',
  })
})

test('[facts/platform 7.1] signing out ends at the provider, unless an address is configured', async () => {
  const { area, provider, signIn, browser, toLogin } = await begun()
  await signIn()
  const { url } = await toLogin().then(({ page }) => page)
  expect(url.href).toContain(callbackUrl) // still signed in at the provider, so it shows no form
  const logoutUrl = area.status().oidcLogoutURL!
  expect(logoutUrl).toBe(`${provider.issuer}/session/end`)
  const page = await browser.open(logoutUrl)
  expect(await browser.submit(page, { logout: 'yes' })).toMatchObject({
    html: expect.stringContaining('You are signed out.'),
  })
  expect((await toLogin()).page.html).toContain('Lab sign-in')
  await area.change({ logoutUrl: 'https://id.example.test/out' })
  expect(area.status().oidcLogoutURL).toBe('https://id.example.test/out')
  await area.change({ enabled: false })
  expect(area.status().oidcLogoutURL).toBeUndefined()
})

test('[S7] who is on the way while the settings change has to begin again', async () => {
  const { toLogin, browser, area } = await begun()
  const { page, browserKey } = await toLogin()
  await area.change({ allowedGroups: ['dev'] })
  const { url } = await browser.submit(page, { username: 'alice', password: 'alice-password' })
  const coming = { query: Object.fromEntries(url.searchParams), browserKey }
  expect(await area.finish(coming)).toMatchObject({ ok: false, code: 'invalid_state' })
})

test('where to sign out is known soon after the start, before the first sign-in', async () => {
  const { area, provider } = await begun()
  await vi.waitUntil(() => area.status().oidcLogoutURL === `${provider.issuer}/session/end`, within(30_000))
})
