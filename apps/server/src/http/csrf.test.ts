import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, nameOf } from '../testing/access-matrix.ts'
import { addUser, login, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
let server: TestServer
let session: Record<string, string>
let other: Record<string, string>

beforeAll(async () => {
  server = await startTestServer(clock)
  await addUser(server, 'admin', 'admin')
  ;[session, other] = [await signIn(server, 'admin'), await signIn(server, 'admin')]
})
afterAll(() => server.stop())

const cookieOnly = () => ({ cookie: session['cookie']! })
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** Tricks of an attacker's page against the check. */
const attempts: [string, () => Record<string, string>][] = [
  ['no token', () => ({})],
  ['an empty token', () => ({ 'x-csrf-token': '' })],
  ['a token of another session', () => ({ 'x-csrf-token': other['x-csrf-token']! })],
  [
    'a token with one letter changed',
    () => ({ 'x-csrf-token': session['x-csrf-token']!.replace(/.$/, 'z') }),
  ],
  ['the session itself as token', () => ({ 'x-csrf-token': session['cookie']!.slice(14, 78) })],
  ['a junk Bearer', () => ({ authorization: 'Bearer junk' })],
  ['a junk Basic', () => ({ authorization: basic('admin:junk') })],
  ['a junk Authorization', () => ({ authorization: 'junk' })],
  ['a junk API token', () => ({ 'x-api-token': 'junk' })],
  ['a good API token', () => ({ 'x-api-token': adminToken })],
  ['a junk proxy secret', () => ({ 'x-proxy-secret': 'junk' })],
  ['a setup token', () => ({ 'x-setup-token': 'junk' })],
  ["the page's own mark", () => ({ 'x-requested-with': 'XMLHttpRequest' })],
  ['a method override', () => ({ 'x-http-method-override': 'GET' })],
  ['a plain-text body', () => ({ 'content-type': 'text/plain' })],
  ['a form body', () => ({ 'content-type': 'application/x-www-form-urlencoded' })],
]

describe('[S4] a state change with a session cookie needs the CSRF token of that session', () => {
  const changing = endpoints.filter(({ method }) => method !== 'GET')
  test.each(attempts)('%s: refused by every one of them', async (_how, headers) => {
    for (const endpoint of changing) {
      clock.pass(7_000)
      const call = server.as({ ...cookieOnly(), ...headers() })
      const answer = await call(endpoint.method, endpoint.path.replace(/:\w+/g, 'x'), '{}')
      expect(answer, nameOf(endpoint)).toMatchObject({ status: 403, body: { code: 'csrf_failed' } })
      expect(answer.text).toContain('CSRF')
      // the refusal sets the right token, so that the page's single retry succeeds
      const fresh = answer.headers.getSetCookie().find((line) => line.startsWith('pulse_csrf='))
      expect(fresh).toContain(session['x-csrf-token'])
    }
  })

  test('another origin is refused even with the token', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      `${server.url}.evil.example`,
      'http://127.0.0.1:1',
    ]) {
      const answer = await server.as({ ...session, origin })('POST', '/api/security/tokens', {})
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_refused' } })
    }
    const own = await server.as({ ...session, origin: server.url })('POST', '/api/security/tokens', { a: 1 })
    expect(own.status).toBe(400)
  })

  test('[facts/platform 3.2] one token for the whole session, also after a restart, given to any GET that lacks it', async () => {
    await server.restart()
    const answer = await server.as(cookieOnly())('GET', '/api/stats')
    expect(answer.status).toBe(200)
    const bare = await server.as({ cookie: session['cookie']!.split(';')[0]! })('GET', '/api/stats')
    expect(bare.headers.getSetCookie().join()).toContain(`pulse_csrf=${session['x-csrf-token']}`)
    expect(session['x-csrf-token']).toMatch(/^[0-9a-f]{64}$/)
  })

  test('a stale session cookie does not stand in the way of signing in', async () => {
    // the account is locked by the wrong passwords before
    clock.pass(16 * 60_000)
    const stale = { cookie: `pulse_session=${'0'.repeat(64)}; pulse_csrf=old` }
    const answer = await server.as(stale)('POST', '/api/login', {
      username: 'admin',
      password: 'correct horse battery',
    })
    expect(answer.status).toBe(200)
  })

  test('callers without a session need none: API tokens and Basic', async () => {
    const byToken = await server.call('POST', '/api/security/tokens', { surprise: 1 })
    expect(byToken.status).toBe(400)
    const authorization = basic('admin:correct horse battery')
    const byBasic = await server.as({ authorization })('POST', '/api/security/tokens', { surprise: 1 })
    expect(byBasic.status).toBe(400)
    expect((await login(server, 'admin')).status).toBe(200)
  })
})
