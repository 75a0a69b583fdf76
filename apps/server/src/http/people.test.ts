import type { ApiToken, AuditRecord, User } from '@pulse/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { addToken, addUser, login, password, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(clock)
  await addUser(server, 'anna', 'admin')
})
afterAll(() => server.stop())

const users = async () => ((await server.call('GET', '/api/security/users')).body as { users: User[] }).users
const tokens = async () =>
  ((await server.call('GET', '/api/security/tokens')).body as { tokens: ApiToken[] }).tokens
const records = async (query = '') =>
  (await server.call('GET', `/api/security/audit${query}`)).body as { events: AuditRecord[]; next?: string }

describe('users', () => {
  test('an account is added, changed and removed, and every step leaves a record', async () => {
    const id = await addUser(server, 'Zoë', 'viewer')
    expect(await users()).toContainEqual(
      expect.objectContaining({ id, name: 'Zoë', role: 'viewer', source: 'local' }),
    )
    const changed = await server.call('PUT', `/api/security/users/${id}`, { password: 'a brand new one' })
    expect(changed.text).not.toContain('argon2')
    expect((await login(server, 'zoë', 'a brand new one')).status).toBe(200)
    expect((await login(server, 'zoë')).status).toBe(401)
    expect((await server.call('DELETE', `/api/security/users/${id}`)).status).toBe(200)
    const { events } = await records()
    expect(events.filter((e) => e.event.startsWith('user_')).slice(0, 3)).toMatchObject([
      { event: 'user_removed', target: 'Zoë', method: 'token' },
      { event: 'user_changed', target: 'Zoë', details: 'viewer, new password' },
      { event: 'user_added', target: 'Zoë', details: 'viewer' },
    ])
  })

  test.each(['evil\r\nroot', 'a\u001b[31m', '\u202egnitteS', 'a\u2066b', 'line\u2028two'])(
    '[S22] a name that would show as something else is refused: %j',
    async (name) => {
      clock.pass(7_000)
      for (const [where, body] of [
        ['/api/security/users', { name, password, role: 'viewer' }],
        ['/api/security/tokens', { name }],
      ] as const) {
        expect(await server.call('POST', where, body)).toMatchObject({
          status: 400,
          body: { details: { name: expect.stringContaining('direction marks') } },
        })
      }
    },
  )

  test('the same name in another spelling, the last administrator, an unknown account', async () => {
    const twice = await server.call('POST', '/api/security/users', {
      name: ' ANNA',
      password,
      role: 'viewer',
    })
    expect(twice).toMatchObject({ status: 409, body: { code: 'duplicate_name' } })
    const anna = (await users()).find(({ name }) => name === 'anna')!
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PUT', { role: 'viewer' }],
    ] as const) {
      const answer = await server.call(method, `/api/security/users/${anna.id}`, body)
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_administrator' } })
    }
    expect((await server.call('DELETE', '/api/security/users/unknown')).status).toBe(404)
  })

  test('fifty at once cannot remove both administrators', async () => {
    const id = await addUser(server, 'boris', 'admin')
    const all = (await users()).filter(({ role }) => role === 'admin')
    clock.pass(61_000)
    await Promise.all(
      Array.from({ length: 24 }, (_, n) => server.call('DELETE', `/api/security/users/${all[n % 2]!.id}`)),
    )
    expect((await users()).filter(({ role }) => role === 'admin')).toHaveLength(1)
    if (!(await users()).some((one) => one.id === id)) return
    await addUser(server, 'anna', 'admin')
    await server.call('DELETE', `/api/security/users/${id}`)
  })
})

describe('[facts/platform 4] API tokens', () => {
  test('256 bit, shown once, known afterwards by prefix and suffix', async () => {
    clock.pass(61_000)
    const { token, id } = await addToken(server.call, { name: 'grafana', scopes: ['monitoring:read'] })
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    const record = (await tokens()).find((one) => one.id === id)!
    expect(record).toMatchObject({
      name: 'grafana',
      prefix: token.slice(0, 6),
      suffix: token.slice(-4),
      scopes: ['monitoring:read'],
      source: 'user',
    })
    expect(record.lastUsedAt).toBeUndefined()
    for (const headers of [{ 'x-api-token': token }, { authorization: `Bearer ${token}` }]) {
      expect((await server.as(headers)('GET', '/api/state')).status).toBe(200)
    }
    expect((await tokens()).find((one) => one.id === id)!.lastUsedAt).toBeDefined()
    const listed = await server.call('GET', '/api/security/tokens')
    expect(listed.text).not.toContain(token)
    expect((await tokens())[0]!.id).toBe(id)
  })

  const byDatabase =
    'tokens of several processes end by the time of the database, which the test does not move'
  test.skipIf(isForOneProcess(byDatabase))(
    'an expired one is worth nothing, from that moment on',
    async () => {
      const expiresAt = new Date(clock.now() + 60_000).toISOString()
      const { headers } = await addToken(server.call, { expiresAt })
      expect((await server.as(headers)('GET', '/api/stats')).status).toBe(200)
      clock.pass(60_000)
      expect((await server.as(headers)('GET', '/api/stats')).status).toBe(401)
      const past = await server.call('POST', '/api/security/tokens', { expiresAt })
      expect(past).toMatchObject({ status: 400, body: { details: { expiresAt: expect.any(String) } } })
    },
  )

  test('revoked at once; unknown and environment ones say so', async () => {
    const { id, headers } = await addToken(server.call)
    expect((await server.call('DELETE', `/api/security/tokens/${id}`)).status).toBe(204)
    expect((await server.as(headers)('GET', '/api/stats')).status).toBe(401)
    expect((await server.call('DELETE', `/api/security/tokens/${id}`)).status).toBe(404)
    const environment = (await tokens()).find(({ source }) => source === 'environment')!
    expect(await server.call('DELETE', `/api/security/tokens/${environment.id}`)).toMatchObject({
      status: 409,
      body: { code: 'locked_by_environment' },
    })
  })

  test('one for all, and the check of a token', async () => {
    clock.pass(61_000)
    const old = await addToken(server.call)
    const { body } = await server.call('POST', '/api/security/regenerate-token')
    expect(body).toMatchObject({ success: true, requiresRestart: false, deploymentType: expect.any(String) })
    expect((await server.as(old.headers)('GET', '/api/stats')).status).toBe(401)
    const valid = (token: string) => server.call('POST', '/api/security/validate-token', { token })
    expect((await valid((body as { token: string }).token)).body).toMatchObject({ valid: true })
    expect((await valid(old.token)).body).toMatchObject({ valid: false })
  })
})
