import { SecurityStatus } from '@pulse/contract'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readFiles } from '../testing/files.ts'
import { connectLive } from '../testing/live-client.ts'
import { endpoints, nameOf } from '../testing/access-matrix.ts'
import { addUser, login, password, sessionOf, signIn, steppedClock } from '../testing/people.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { adminToken, asAdmin, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
afterEach(() => server.stop())

const apiToken = randomBytes(24).toString('hex')
const input = { username: 'owner', password, apiToken }
const bootstrapFile = () => path.join(server.dataDir, '.bootstrap_token')
const setupToken = () => fs.readFileSync(bootstrapFile(), 'utf8').trim()
const setUp = (body: object, headers: Record<string, string> = {}) =>
  server.as(headers)('POST', '/api/security/quick-setup', body)
const status = async (headers: Record<string, string> = {}) =>
  SecurityStatus.parse((await server.as(headers)('GET', '/api/security/status')).body)
const eventsOf = async (event: string) => {
  const { body } = await server.as({ 'x-api-token': apiToken })('GET', `/api/security/audit?event=${event}`)
  return (body as { events: { actor: string; success: boolean; target?: string }[] }).events
}

describe('[S8] the first run', () => {
  test('[spec 1 §4] everything but signing in and setting up is closed, also to this machine', async () => {
    const clock = steppedClock()
    server = await startTestServer(clock, {})
    expect(await status()).toMatchObject({ hasAuthentication: false, requiresAuth: false })
    for (const endpoint of endpoints.filter(({ access }) => access !== 'public')) {
      clock.pass(7_000)
      const where = endpoint.path.replace(/:\w+/g, 'x')
      const answer = await server.as({})(endpoint.method, where, endpoint.method === 'GET' ? undefined : {})
      expect(answer.status, nameOf(endpoint)).toBe(401)
    }
    await expect(connectLive(server.url, { headers: {} })).rejects.toThrow('401')
  })

  test('needs the one-time token, which lies in a 0600 file and in no log line or answer', async () => {
    server = await startTestServer(undefined, {})
    const token = setupToken()
    expect(server.server.firstRun).toEqual({ token, file: bootstrapFile() })
    expect(fs.statSync(bootstrapFile()).mode & 0o777).toBe(0o600)
    for (const body of [input, { ...input, setupToken: 'f'.repeat(32) }, { ...input, force: true }]) {
      const answer = await setUp(body)
      expect(answer).toMatchObject({ status: 403, body: { code: 'invalid_setup_token' } })
      expect(answer.text).toContain('.bootstrap_token')
    }
    const answer = await setUp({ ...input, setupToken: token.toUpperCase() })
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    const session = sessionOf(answer.headers)
    expect(await status(session)).toMatchObject({
      hasAuthentication: true,
      user: { name: 'owner', role: 'admin' },
      apiTokenConfigured: true,
    })
    expect((await server.as({ 'x-api-token': apiToken })('GET', '/api/config/nodes')).status).toBe(200)
    expect(fs.existsSync(bootstrapFile())).toBe(false)
    expect(server.logLines.join('') + answer.text).not.toContain(token)
    expect(await eventsOf('setup')).toMatchObject([{ success: true }, { success: false, count: 3 }])
    await server.restart()
    expect(fs.existsSync(bootstrapFile())).toBe(false)
    expect((await login(server, 'owner')).status).toBe(200)
  })

  test('the header does as well, and the token stays the same after a restart', async () => {
    server = await startTestServer(undefined, {})
    const token = setupToken()
    await server.restart()
    expect(setupToken()).toBe(token)
    expect((await setUp(input, { 'x-setup-token': token })).status).toBe(200)
  })

  test('a hundred at once: one wins', async () => {
    const clock = steppedClock()
    server = await startTestServer(clock, {})
    const token = setupToken()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        clock.pass(7_000)
        return setUp({ ...input, username: `owner-${n}`, setupToken: token })
      }),
    )
    const won = answers.filter(({ headers }) => headers.getSetCookie().length > 0)
    expect(won).toHaveLength(1)
    for (const answer of answers) if (answer !== won[0]) expect([200, 403, 429]).toContain(answer.status)
    const users = await server.as({ 'x-api-token': apiToken })('GET', '/api/security/users')
    expect((users.body as { users: unknown[] }).users).toHaveLength(1)
  })

  test.each([
    [{ password: 'short' }, 'Password must be at least 8 characters'],
    [{ username: ' ' }, 'username'],
    [{ apiToken: 'abc' }, 'hexadecimal'],
    [{ surprise: 1 }, 'surprise'],
  ])('refuses %j', async (change, says) => {
    server = await startTestServer(undefined, {})
    const answer = await setUp({ ...input, setupToken: setupToken(), ...change })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(says)
    expect(await status()).toMatchObject({ hasAuthentication: false })
  })
})

describe('[facts/platform 5.1] what is set up already', () => {
  test('is left alone', async () => {
    server = await startTestServer()
    expect(await setUp(input)).toMatchObject({
      status: 200,
      body: {
        success: true,
        skipped: true,
        message:
          'Security is already configured. Please remove existing security first if you want to reconfigure.',
      },
    })
    expect((await login(server, 'owner')).status).toBe(401)
  })

  test('is replaced only by an administrator, whose other devices are signed out', async () => {
    server = await startTestServer()
    await addUser(server, 'anna', 'admin')
    await addUser(server, 'victor', 'viewer')
    const force = { ...input, username: 'anna', password: 'quite another one', force: true }
    expect((await setUp(force)).status).toBe(401)
    expect((await setUp(force, await signIn(server, 'victor'))).status).toBe(403)
    const scoped = await server.call('POST', '/api/security/tokens', { scopes: ['settings:write'] })
    expect((await setUp(force, { 'x-api-token': (scoped.body as { token: string }).token })).status).toBe(403)

    const [here, there] = [await signIn(server, 'anna'), await signIn(server, 'anna')]
    const { 'x-csrf-token': _csrf, ...cookieOnly } = here
    expect(await setUp(force, cookieOnly as Record<string, string>)).toMatchObject({
      status: 403,
      body: { code: 'csrf_failed' },
    })
    const answer = await setUp(force, here)
    expect(answer.status).toBe(200)
    const renewed = sessionOf(answer.headers)
    expect((await server.as(renewed)('GET', '/api/stats')).status).toBe(200)
    for (const old of [here, there]) expect((await server.as(old)('GET', '/api/stats')).status).toBe(401)
    expect((await login(server, 'anna', 'quite another one')).status).toBe(200)
    const { body } = await server.as(renewed)('GET', '/api/security/tokens')
    expect((body as { tokens: { name: string; source: string }[] }).tokens).toMatchObject([
      { name: 'Primary token', source: 'user' },
      { source: 'environment' },
    ])
    expect((await eventsOf('credentials_rotated'))[0]).toMatchObject({ actor: 'anna', target: 'anna' })
  })
})

describe('[facts/platform 11.2] unattended setup', () => {
  const env = { PULSE_AUTH_USER: 'root', PULSE_AUTH_PASS: 'from the environment', API_TOKENS: adminToken }

  test('by environment: sign-in works at once, and cannot be changed here', async () => {
    server = await startTestServer(undefined, env)
    const session = await signIn(server, 'root', 'from the environment')
    expect(await status(session)).toMatchObject({ authUsername: 'root', authFromEnvironment: true })
    const change = { currentPassword: 'from the environment', newPassword: 'something else' }
    expect(await server.as(session)('POST', '/api/security/change-password', change)).toMatchObject({
      status: 409,
      body: { code: 'locked_by_environment' },
    })
    const rotated = await setUp({ ...input, username: 'root', force: true }, session)
    expect(rotated).toMatchObject({ status: 409, body: { code: 'locked_by_environment' } })
    expect((await server.call('GET', '/api/stats')).status).toBe(200)
    await server.restart()
    expect((await server.as(session)('GET', '/api/stats')).status).toBe(200)
    await server.restart({ ...env, PULSE_AUTH_PASS: 'a newer password' })
    expect((await server.as(session)('GET', '/api/stats')).status).toBe(401)
    expect((await login(server, 'root', 'a newer password')).status).toBe(200)
  })

  test.skipIf(isOnPostgres)(
    'a bcrypt hash of the older product is taken, and replaced at the first sign-in',
    async () => {
      // hash of "from the environment"
      const { hash } = await import('bcryptjs')
      server = await startTestServer(undefined, {
        ...env,
        PULSE_AUTH_PASS: await hash('from the environment', 4),
      })
      expect((await login(server, 'root', 'wrong')).status).toBe(401)
      expect((await login(server, 'root', 'from the environment')).status).toBe(200)
      const bytes = readFiles(server.dataDir).map(({ text }) => text)
      expect(bytes.join('')).toContain('$argon2id$')
      await server.restart()
      expect((await login(server, 'root', 'from the environment')).status).toBe(200)
    },
  )

  test('taken out of the environment, the account stays and the tokens go', async () => {
    server = await startTestServer(undefined, env)
    await server.restart({})
    expect((await login(server, 'root', 'from the environment')).status).toBe(200)
    expect((await server.call('GET', '/api/stats')).status).toBe(401)
  })

  test('the file .env of the data folder counts too, and a change of it asks for a restart', async () => {
    server = await startTestServer(undefined, {})
    const file = path.join(server.dataDir, '.env')
    fs.writeFileSync(file, 'PULSE_AUTH_USER=root\nPULSE_AUTH_PASS="from the file"\n')
    expect(await status()).toMatchObject({ configuredButPendingRestart: true, hasAuthentication: false })
    await server.restart()
    expect(await status()).toMatchObject({ configuredButPendingRestart: false, hasAuthentication: true })
    expect((await login(server, 'root', 'from the file')).status).toBe(200)
  })
})

describe('[design] DISABLE_AUTH', () => {
  test('opens everything to this machine alone, and says so', async () => {
    server = await startTestServer(undefined, { DISABLE_AUTH: 'true', API_TOKENS: adminToken })
    const answer = await server.as({})('GET', '/api/config/nodes')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-auth-disabled')).toBe('true')
    expect(await status()).toMatchObject({
      disabled: true,
      hasAuthentication: false,
      apiTokenConfigured: true,
    })
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const refused = await server.as(headers as unknown as Record<string, string>)('GET', '/api/state')
      expect(refused, JSON.stringify(headers)).toMatchObject({ status: 403 })
    }
    expect((await server.as({ 'x-api-token': 'wrong' })('GET', '/api/state')).status).toBe(401)
    expect((await server.as(asAdmin)('GET', '/api/state')).status).toBe(200)
    await expect(connectLive(server.url, { headers: { origin: 'http://evil.example' } })).rejects.toThrow(
      '403',
    )
    const live = await connectLive(server.url, { headers: { origin: server.url } })
    live.close()
    expect(server.logLines.join('')).toContain('Authentication is switched off')
    expect(fs.existsSync(bootstrapFile())).toBe(false)
  })
})

describe('[facts/platform 7.3] demo mode', () => {
  test('shows everything and changes nothing, without a sign-in', async () => {
    const clock = steppedClock()
    server = await startTestServer(clock)
    await addUser(server, 'anna', 'admin')
    const session = await signIn(server, 'anna')
    await server.restart({ API_TOKENS: adminToken, DEMO_MODE: 'true' })
    for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
      clock.pass(7_000)
      for (const headers of [asAdmin, session, {}]) {
        const where = endpoint.path.replace(/:\w+/g, 'x')
        const answer = await server.as(headers)(endpoint.method, where, {})
        // demo mode accepts reports with an existing token
        if (endpoint.takenInDemo && headers === asAdmin) continue
        expect(answer, nameOf(endpoint)).toMatchObject({
          status: 403,
          body: { error: 'Demo mode enabled', code: 'demo_mode', message: expect.any(String) },
        })
      }
    }
    const health = await server.as({})('GET', '/api/health')
    expect(health.headers.get('x-demo-mode')).toBe('true')
    expect((await server.as(session)('GET', '/api/state')).status).toBe(200)
    expect((await server.as({})('GET', '/api/state')).status).toBe(200)
    const live = await connectLive(server.url, { headers: asAdmin })
    live.close()
  })
})

test('with tokens alone a stranger sees that there is no account, until there is one', async () => {
  server = await startTestServer()
  expect(await status()).toMatchObject({ hasAuthentication: true, noAccount: true })
  await addUser(server, 'anna', 'admin')
  expect((await status()).noAccount).toBeUndefined()
  await server.restart({})
  expect((await status()).noAccount).toBeUndefined()
})
