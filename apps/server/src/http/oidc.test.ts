import { OidcConfig, SecurityStatus } from '@pulse/contract'
import { type HostileProvider, type OidcProvider, startHostileProvider, startOidcProvider } from '@pulse/lab'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aBrowser, person, secret } from '../oidc/fixtures.ts'
import { connectLive } from '../testing/live-client.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const callbackPath = '/api/oidc/callback'
const publicUrl = 'http://pulse.example.test'
const clock = steppedClock()
let server: TestServer
let provider: OidcProvider
let hostile: HostileProvider

beforeAll(async () => {
  server = await startTestServer(clock)
  provider = await startOidcProvider({
    clientId: 'pulse',
    clientSecret: secret,
    redirectUris: [`${server.url}${callbackPath}`],
    users: [{ ...person, password: 'alice-password' }],
  })
  hostile = await startHostileProvider({ clientId: 'pulse', clientSecret: secret, claims: person })
})
afterAll(() => Promise.all([server.stop(), provider.close(), hostile.close()]))
beforeEach(async () => {
  clock.pass(61_000) // resets the rate limits that the previous test has used
  hostile.bend({})
  await configure({ issuerUrl: provider.issuer, allowedEmails: [] })
})

const configure = (settings: object) =>
  server.call('PUT', '/api/security/oidc', {
    enabled: true,
    clientId: 'pulse',
    clientSecret: secret,
    ...settings,
  })
const begin = (returnTo?: string, headers: Record<string, string> = {}) =>
  server.as(headers)('POST', '/api/oidc/login', returnTo === undefined ? {} : { returnTo })
const addressOf = ({ body }: { body: unknown }) => (body as { authorizationUrl: string }).authorizationUrl
const cookieOf = ({ headers }: { headers: Headers }, name = 'pulse_oidc') =>
  headers.getSetCookie().find((text) => text.startsWith(`${name}=`))
const audited = async (event: string) => {
  const { body } = await server.call('GET', `/api/security/audit?event=${event}`)
  return (body as { events: { actor: string; details?: string; success: boolean; method: string }[] }).events
}

/** Signs in at a provider that asks for nothing, up to the callback. */
async function returning(returnTo?: string) {
  const begun = await begin(returnTo)
  const response = await fetch(addressOf(begun), { redirect: 'manual' })
  const back = new URL(response.headers.get('location')!)
  return { path: back.pathname + back.search, cookie: cookieOf(begun)!.split(';')[0]! }
}
const knock = (path: string, cookie?: string) => server.as(cookie ? { cookie } : {})('GET', path)

test('[facts/platform 6.2] a browser goes to the provider and comes back signed in', async () => {
  const browser = aBrowser((url) => url.origin === server.url && url.pathname === '/storage')
  const begun = await begin('/storage?tab=disks')
  expect(begun.status).toBe(200)
  const [name, key] = cookieOf(begun)!.split(';')[0]!.split('=')
  browser.cookies(server.url).set(name!, key!)
  const page = await browser.open(addressOf(begun))
  const { url } = await browser.submit(page, { username: 'alice', password: 'alice-password' })
  expect(url.href).toBe(`${server.url}/storage?tab=disks&oidc=success`)

  const cookies = browser.cookies(server.url)
  expect([...cookies.keys()].toSorted()).toEqual(['pulse_csrf', 'pulse_session'])
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  const status = SecurityStatus.parse((await knock('/api/security/status', cookie)).body)
  expect(status).toMatchObject({
    oidcUsername: 'alice',
    user: { name: 'alice', role: 'viewer', method: 'oidc' },
  })
  expect((await audited('oidc_login'))[0]).toMatchObject({
    actor: 'alice',
    method: 'oidc',
    success: true,
    details: `u-1 at ${provider.issuer}`,
  })
})

test('[S11] another issuer needs the client secret again; both are recorded', async () => {
  const elsewhere = 'https://id.elsewhere.test'
  const refused = await server.call('PUT', '/api/security/oidc', { issuerUrl: elsewhere })
  expect(refused).toMatchObject({ status: 400, body: { code: 'secret_required' } })
  const move = `address from ${provider.issuer} to ${elsewhere}`
  expect((await audited('oidc_settings_changed'))[0]).toMatchObject({
    success: false,
    details: expect.stringContaining(move) as string,
  })
  expect((await configure({ issuerUrl: elsewhere, enabled: false })).status).toBe(200)
  expect((await audited('oidc_settings_changed'))[0]).toMatchObject({
    success: true,
    details: expect.stringContaining(move) as string,
  })
})

test('[S7] the browser is known by a cookie that no script and no other page of ours sees', async () => {
  expect(cookieOf(await begin())).toMatch(
    /^pulse_oidc=[\w-]{43}; Max-Age=600; Path=\/api\/oidc; HttpOnly; SameSite=Lax$/,
  )
})

describe('[S7] what comes back', () => {
  beforeEach(() => configure({ issuerUrl: hostile.issuer }))

  test('gets in once, and the cookie ends with it', async () => {
    const { path, cookie } = await returning('/storage')
    const answer = await knock(path, cookie)
    expect(answer).toMatchObject({ status: 302, text: '' })
    expect(answer.headers.get('location')).toBe('/storage?oidc=success')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(cookieOf(answer)).toMatch(/^pulse_oidc=; Max-Age=0; Path=\/api\/oidc;/)
    expect(cookieOf(answer, 'pulse_session')).toBeDefined()
    const again = await knock(path, cookie)
    expect(again.headers.get('location')).toBe('/?oidc=error&oidc_error=invalid_state')
    expect(cookieOf(again, 'pulse_session')).toBeUndefined()
  })

  test('in another browser is refused, and ends nothing', async () => {
    const { path, cookie } = await returning()
    const strange = await knock(path)
    expect(strange.headers.get('location')).toBe('/?oidc=error&oidc_error=invalid_state')
    expect(strange.headers.getSetCookie()).toEqual([])
    expect((await knock(path, cookie)).headers.get('location')).toBe('/?oidc=success')
  })

  test.each(['//evil.test', '/..//evil.test', '/%2fevil.test'])(
    'leads to this site only: %s',
    async (returnTo) => {
      const { path, cookie } = await returning(returnTo)
      expect((await knock(path, cookie)).headers.get('location')).toBe('/?oidc=success')
    },
  )

  test('as a refusal tells the page why, and the audit who', async () => {
    await configure({ issuerUrl: hostile.issuer, allowedEmails: ['bob@example.test'] })
    const { path, cookie } = await returning('/storage?q=1')
    const answer = await knock(path, cookie)
    expect(answer.headers.get('location')).toBe('/storage?q=1&oidc=error&oidc_error=email_restricted')
    expect(cookieOf(answer, 'pulse_session')).toBeUndefined()
    expect((await audited('oidc_login_failed'))[0]).toMatchObject({
      actor: 'alice',
      success: false,
      details: 'email_restricted: the email address is not on the list',
    })
  })

  test.each([
    ['', 'missing_state'],
    ['?code=x', 'missing_state'],
    ['?state=x&code=y', 'invalid_state'],
    ['?state=x&error=%3Cscript%3E', 'invalid_state'],
  ])('%j without a sign-in is %s', async (query, code) => {
    const answer = await knock(callbackPath + query)
    expect(answer.headers.get('location')).toBe(`/?oidc=error&oidc_error=${code}`)
  })
})

test('[S3] when single sign-on is switched off or another provider is set, its people are out at once', async () => {
  const enter = async () => {
    await configure({ issuerUrl: hostile.issuer })
    const { path, cookie } = await returning('/')
    const answer = await knock(path, cookie)
    return cookieOf(answer, 'pulse_session')!.split(';')[0]!
  }
  for (const change of [{ enabled: false }, { issuerUrl: provider.issuer }]) {
    const session = await enter()
    expect((await knock('/api/stats', session)).status).toBe(200)
    const live = await connectLive(server.url, { headers: { cookie: session, origin: server.url } })
    await configure(change)
    expect((await knock('/api/stats', session)).status).toBe(401)
    expect(await live.closed).toMatchObject({ code: 4401 })
  }
})

test('[facts/platform 6.2] while it is off, nothing begins and a callback is refused with a reason', async () => {
  await configure({ enabled: false })
  expect(await begin()).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const answer = await knock(`${callbackPath}?state=x&code=y`)
  expect(answer.headers.get('location')).toBe('/?oidc=error&oidc_error=oidc_init_failed')
})

test('[spec 1 §8] a provider that does not answer is a failed start', async () => {
  await configure({ issuerUrl: 'http://127.0.0.1:9' })
  expect(await begin()).toMatchObject({
    status: 502,
    body: { code: 'provider_unreachable', error: 'Failed to start single sign-on. Please try again.' },
  })
})

describe('[facts/platform 6.2] the settings', () => {
  test('are shown without the secret, and a change names its fields in the audit', async () => {
    const shown = await server.call('GET', '/api/security/oidc')
    expect(OidcConfig.parse(shown.body)).toMatchObject({
      issuerUrl: provider.issuer,
      clientSecretSet: true,
      defaultRedirect: `${server.url}${callbackPath}`,
    })
    await server.call('PUT', '/api/security/oidc', {
      clientSecret: `${secret}-2`,
      logoutUrl: 'https://id.test/',
    })
    expect((await audited('oidc_settings_changed'))[0]).toMatchObject({ details: 'logoutUrl, clientSecret' })
    expect(JSON.stringify([shown.text, server.logLines])).not.toContain(secret)
  })

  test.each([
    [{ issuerUrl: 'http://id.example.test' }, 'issuerUrl'],
    [{ clientId: '' }, 'clientId'],
    [{ clientSecretSet: true }, ''],
  ])('%j is refused', async (settings, field) => {
    const answer = await configure(settings)
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    if (field) expect(answer.body).toHaveProperty(['details', field])
  })

  test('survive a restart; variables of the environment lock them', async () => {
    await server.restart()
    expect((await server.call('GET', '/api/security/oidc')).body).toMatchObject({ clientSecretSet: true })
    await server.restart({
      API_TOKENS: 'test-administrator-0123456789',
      OIDC_CLIENT_ID: 'fixed',
      PULSE_PUBLIC_URL: publicUrl,
    })
    expect((await server.call('GET', '/api/security/oidc')).body).toMatchObject({
      clientId: 'fixed',
      envOverrides: { clientId: true },
      defaultRedirect: `${publicUrl}${callbackPath}`,
    })
    expect(await configure({})).toMatchObject({ status: 409, body: { code: 'oidc_locked' } })
    const asked = new URL(addressOf(await begin())).searchParams
    expect(asked.get('redirect_uri')).toBe(`${publicUrl}${callbackPath}`)
    await server.restart({ API_TOKENS: 'test-administrator-0123456789' })
  })
})
