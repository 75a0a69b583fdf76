import { ErrorBody, SecurityStatus } from '@pulse/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, login, password, sessionOf, signIn, steppedClock } from '../testing/people.ts'
import { asAdmin, startTestServer, type TestServer } from '../testing/server.ts'

const MINUTE_MS = 60_000
const clock = steppedClock()
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock)
  await addUser(server, 'anna', 'admin')
  await addUser(server, 'victor', 'viewer')
})
afterAll(() => server.stop())

const status = async (headers: Record<string, string>) =>
  SecurityStatus.parse((await server.as(headers)('GET', '/api/security/status')).body)
const probe = async (headers: Record<string, string>) =>
  (await server.as(headers)('GET', '/api/stats')).status
const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
})
const audit = async (event: string) => {
  const { body } = await server.call('GET', `/api/security/audit?event=${event}`)
  return (body as { events: { actor: string; success: boolean; address: string; details?: string }[] }).events
}
const freshMinute = () => clock.pass(MINUTE_MS + 1_000)

describe('[facts/platform 3.3] signing in', () => {
  test('a good name and password give both cookies, and the session says who it is', async () => {
    const answer = await login(server, 'Anna ')
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    const [session, csrf] = answer.headers.getSetCookie()
    expect(session).toMatch(/^pulse_session=[0-9a-f]{64}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(csrf).toMatch(/^pulse_csrf=[0-9a-f]{64}; Max-Age=\d+; Path=\/; SameSite=Lax$/)
    expect(await status(sessionOf(answer.headers))).toMatchObject({
      hasAuthentication: true,
      requiresAuth: true,
      user: { name: 'anna', role: 'admin', method: 'session' },
      authUsername: 'anna',
    })
    expect((await audit('login'))[0]).toMatchObject({ actor: 'anna', success: true, address: '127.0.0.1' })
  })

  test('a stranger learns how to sign in, and nothing else, whatever it shows', async () => {
    const strange = { 'x-api-token': 'junk', cookie: `pulse_session=${'a'.repeat(64)}` }
    for (const headers of [{}, strange, basic('anna', 'wrong')]) {
      const seen = await status(headers)
      expect(Object.keys(seen).toSorted()).toEqual([
        'configuredButPendingRestart',
        'hasAuthentication',
        'hasHTTPS',
        'hasProxyAuth',
        'isPrivateNetwork',
        'isTrustedNetwork',
        'oidcEnabled',
        'publicAccess',
        'requiresAuth',
      ])
    }
    await server.call('POST', '/api/security/reset-lockout', { identifier: 'anna' })
  })

  test('the session id changes at every sign-in, and the old one ends', async () => {
    const first = await signIn(server, 'anna')
    const again = await server.as(first)('POST', '/api/login', { username: 'anna', password })
    const second = sessionOf(again.headers)
    expect(second['cookie']).not.toBe(first['cookie'])
    expect(await probe(first)).toBe(401)
    expect(await probe(second)).toBe(200)
  })

  test('[S3] it survives a restart, with user and method', async () => {
    const session = await signIn(server, 'victor')
    await server.restart()
    expect(await status(session)).toMatchObject({ user: { name: 'victor', role: 'viewer' } })
  })

  test('Basic works for every call, and for the page it starts a session', async () => {
    expect(await probe(basic('anna', password))).toBe(200)
    const program = await server.as(basic('anna', password))('GET', '/api/state')
    expect(program.headers.getSetCookie()).toEqual([])
    await server.restart()
    const page = await server.as({ ...basic('anna', password), 'x-requested-with': 'XMLHttpRequest' })(
      'GET',
      '/api/state',
    )
    expect(page.status).toBe(200)
    expect(await probe(sessionOf(page.headers))).toBe(200)
    const { events } = (await server.call('GET', '/api/security/audit?event=login')).body as {
      events: { requestId: string }[]
    }
    expect(events.map(({ requestId }) => requestId)).toContain(page.headers.get('x-request-id'))
    expect(page.headers.get('www-authenticate')).toBeNull()
    expect((await server.as({})('GET', '/api/state')).headers.get('www-authenticate')).toBeNull()
  })

  test.each([
    ['no body', undefined],
    ['an empty password', { username: 'anna', password: '' }],
    ['an unknown field', { username: 'anna', password, admin: true }],
    ['a number', { username: 1, password }],
  ])('%s is no sign-in', async (_what, body) => {
    freshMinute()
    expect((await server.as({})('POST', '/api/login', body)).status).toBe(400)
  })
})

describe('[spec 1 §8] wrong passwords', () => {
  test.each([
    { who: 'a known account', name: (n: number) => ['anna', 'ANNA', ' anna ', 'ａｎｎａ', 'an\u200bna'][n]! },
    { who: 'an unknown one', name: () => 'unknown' },
  ])('[S5] $who: the documented answers up to the lock, alike for every spelling', async ({ name }) => {
    freshMinute()
    for (const remaining of [4, 3, 2, 1]) {
      const answer = await login(server, name(remaining), 'wrong')
      expect(answer).toMatchObject({
        status: 401,
        body: {
          code: 'invalid_credentials',
          message: 'Invalid username or password.',
          attempts: 5 - remaining,
          remaining,
          maxAttempts: 5,
        },
      })
      ErrorBody.parse(answer.body)
    }
    expect(await login(server, name(0), 'wrong')).toMatchObject({
      status: 401,
      body: {
        message: 'Invalid username or password. Account is now locked.',
        locked: true,
        lockoutDuration: '15 minutes',
      },
    })
    const locked = await login(server, name(0))
    expect(locked).toMatchObject({
      status: 403,
      body: {
        code: 'account_locked',
        message: 'Account temporarily locked due to too many failed attempts.',
        remainingMinutes: 15,
        lockedUntil: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
    expect((await audit('lockout'))[0]).toMatchObject({ success: false, details: '15 minutes' })
  })

  test('[S5] a lock stops neither a session nor an API token, holds for Basic, and survives a restart', async () => {
    freshMinute()
    await server.call('POST', '/api/security/reset-lockout', { identifier: 'anna' })
    const session = await signIn(server, 'anna')
    for (let n = 0; n < 5; n++) await login(server, 'anna', 'wrong')
    expect(await probe(session)).toBe(200)
    expect(await probe(asAdmin)).toBe(200)
    await server.restart()
    freshMinute()
    expect(await probe(basic('anna', password))).toBe(403)
    expect((await login(server, 'anna')).status).toBe(403)
    clock.pass(15 * MINUTE_MS)
    expect((await login(server, 'anna')).status).toBe(200)
  })

  test('a failure long ago does not count', async () => {
    for (let n = 0; n < 4; n++) await login(server, 'anna', 'wrong')
    clock.pass(15 * MINUTE_MS)
    expect((await login(server, 'anna', 'wrong')).body).toMatchObject({ remaining: 4 })
  })

  test('a reset frees the account at once', async () => {
    freshMinute()
    for (let n = 0; n < 5; n++) await login(server, 'victor', 'wrong')
    expect((await login(server, 'victor')).status).toBe(403)
    const reset = await server.call('POST', '/api/security/reset-lockout', { identifier: 'Victor' })
    expect(reset).toMatchObject({ status: 200, body: { success: true } })
    expect((await login(server, 'victor')).status).toBe(200)
    expect((await audit('lockout_reset'))[0]).toMatchObject({ actor: expect.stringContaining('token') })
  })

  test('more than ten tries a minute are refused, good ones do not count', async () => {
    freshMinute()
    for (let n = 0; n < 12; n++) expect((await login(server, 'anna')).status).toBe(200)
    for (let n = 0; n < 10; n++) await login(server, `guess-${n}`, 'wrong')
    const refused = await login(server, 'anna')
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'rate_limit', error: 'Too many requests. Please wait a moment and try again.' },
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    freshMinute()
    expect((await login(server, 'anna')).status).toBe(200)
  })

  test('a wrong Basic pair is never made good by a session beside it', async () => {
    freshMinute()
    const session = await signIn(server, 'anna')
    expect(await probe({ ...session, ...basic('anna', 'wrong') })).toBe(401)
    expect(await probe({ ...session, 'x-api-token': 'wrong' })).toBe(401)
  })
})

describe('[S3] rights that end, end at once', () => {
  const open = (headers: Record<string, string>) =>
    connectLive(server.url, { delta: true, headers: { ...headers, origin: server.url } })

  test('logout', async () => {
    freshMinute()
    const session = await signIn(server, 'anna')
    const live = await open(session)
    const answer = await server.as(session)('POST', '/api/logout')
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^pulse_session=; Max-Age=0/),
      expect.stringMatching(/^pulse_csrf=; Max-Age=0/),
    ])
    expect(await probe(session)).toBe(401)
    expect(await live.closed).toMatchObject({ code: 4401 })
    expect((await audit('logout'))[0]).toMatchObject({ actor: 'anna' })
  })

  test('a new password ends every session of the account on every device', async () => {
    const here = await signIn(server, 'anna')
    const there = await signIn(server, 'anna')
    const other = await signIn(server, 'victor')
    const [live, bystander] = await Promise.all([open(there), open(other)])
    const wrong = await server.as(here)('POST', '/api/security/change-password', {
      currentPassword: 'wrong',
      newPassword: 'another good password',
    })
    expect(wrong.status).toBe(401)
    const short = await server.as(here)('POST', '/api/security/change-password', {
      currentPassword: password,
      newPassword: 'short',
    })
    expect(short).toMatchObject({ status: 400, text: expect.stringContaining('at least 8 characters') })
    // as the page sends it: session, CSRF header and Basic with the current password
    const answer = await server.as({ ...here, ...basic('anna', password) })(
      'POST',
      '/api/security/change-password',
      { currentPassword: password, newPassword: 'another good password' },
    )
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Password changed successfully. Please log in with your new password.' },
    })
    expect(await live.closed).toMatchObject({ code: 4401 })
    expect([await probe(here), await probe(there), await probe(other)]).toEqual([401, 401, 200])
    expect(await probe(basic('anna', password))).toBe(401)
    expect((await login(server, 'anna', 'another good password')).status).toBe(200)
    bystander.send({ type: 'ping' })
    await expect.poll(() => bystander.texts.some(({ type }) => type === 'pong')).toBe(true)
    bystander.close()
    await server.restart()
    expect([await probe(here), await probe(there)]).toEqual([401, 401])
  })

  test('an API token that is revoked, and a role that is taken away', async () => {
    const token = await addToken(server.call, { scopes: ['monitoring:read'] })
    const byToken = await connectLive(server.url, { headers: token.headers })
    await server.call('DELETE', `/api/security/tokens/${token.id}`)
    expect(await byToken.closed).toMatchObject({ code: 4401 })
    expect(await probe(token.headers)).toBe(401)

    const id = await addUser(server, 'boris', 'admin')
    const boris = await signIn(server, 'boris')
    const live = await open(boris)
    await server.call('PUT', `/api/security/users/${id}`, { role: 'viewer' })
    expect(await live.closed).toMatchObject({ code: 4401 })
    expect((await server.as(boris)('GET', '/api/security/users')).status).toBe(401)
    const demoted = await signIn(server, 'boris')
    expect((await server.as(demoted)('GET', '/api/security/users')).status).toBe(403)
    await server.call('DELETE', `/api/security/users/${id}`)
    expect(await probe(demoted)).toBe(401)
  })

  test('an idle session ends after a day, a forward step of an hour ends nothing', async () => {
    const session = await signIn(server, 'victor')
    clock.pass(60 * MINUTE_MS)
    expect(await probe(session)).toBe(200)
    clock.pass(24 * 60 * MINUTE_MS + 1)
    expect(await probe(session)).toBe(401)
  })
})
