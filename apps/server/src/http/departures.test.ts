import type { ApiToken, AuditRecord, TokenFate } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../edges.ts'
import { answeringServers } from '../testing/database-of-tests.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const day = 86_400_000
/** Disables the check of all sockets every five seconds, so that only the change itself closes a socket. */
const clock = steppedClock({
  ...realClock,
  after: (ms, run) => realClock.after(ms === 5_000 ? day : ms, run),
})
const proxyEnv = {
  API_TOKENS: adminToken,
  PROXY_AUTH_SECRET: 'proxy-secret-0123456789',
  PROXY_AUTH_USER_HEADER: 'X-User',
  PROXY_AUTH_ROLE_HEADER: 'X-Roles',
  PULSE_TRUSTED_PROXIES: '127.0.0.1',
}
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock, proxyEnv)
  await addUser(server, 'owner', 'admin')
})
afterAll(() => server.stop())
beforeEach(() => clock.pass(61_000))

const tokens = async () =>
  ((await server.call('GET', '/api/security/tokens')).body as { tokens: ApiToken[] }).tokens
const records = async (event: string) =>
  ((await server.call('GET', `/api/security/audit?event=${event}`)).body as { events: AuditRecord[] }).events
const works = async (headers: Record<string, string>) =>
  (await server.as(headers)('GET', '/api/stats')).status === 200

/** Of several servers, those that did not hear of it themselves refuse it within a second. */
const ends = async (headers: Record<string, string>) =>
  answeringServers > 0
    ? await expect.poll(() => works(headers)).toBe(false)
    : expect(await works(headers)).toBe(false)

/** An administrator with a token that has created another one. */
async function aMaker(name: string) {
  const id = await addUser(server, name, 'admin')
  const session = await signIn(server, name)
  const own = await addToken(server.as(session), { name: `of ${name}` })
  const second = await addToken(server.as(own.headers), { name: `second of ${name}` })
  return { id, session, own, second }
}

const ways = {
  removed: (id: string, choice?: string) =>
    server.call('DELETE', `/api/security/users/${id}${choice ? `?tokens=${choice}` : ''}`),
  demoted: (id: string, choice?: string) =>
    server.call('PUT', `/api/security/users/${id}`, { role: 'viewer', ...(choice && { tokens: choice }) }),
}

describe('[S3] a token that ends with the one that made it', () => {
  const passphrase = 'a passphrase of some length'

  test('has a record of its own, and an older export does not bring it back', async () => {
    const first = await addToken(server.call, { name: 'first' })
    const second = await addToken(server.as(first.headers), { name: 'second' })
    const { text: data } = await server.call('POST', '/api/config/export', { passphrase })
    await server.call('DELETE', `/api/security/tokens/${first.id}`)
    expect((await records('token_revoked')).slice(0, 2).map(({ target }) => target)).toEqual(
      expect.arrayContaining(['first', 'second']),
    )
    expect((await server.call('POST', '/api/config/import', { passphrase, data })).status).toBe(200)
    expect([await works(first.headers), await works(second.headers)]).toEqual([false, false])
  })

  test('has one too when its maker left the environment meanwhile', async () => {
    const given = 'another-token-0123456789'
    await server.restart({ ...proxyEnv, API_TOKENS: `${adminToken},${given}` })
    const child = await addToken(server.as({ 'x-api-token': given }), { name: 'child' })
    await server.restart(proxyEnv)
    expect(await works(child.headers)).toBe(false)
    expect((await records('token_revoked')).map(({ target }) => target)).toContain('child')
  })
})

describe.each(['removed', 'demoted'] as const)('[S3] the user who made a token is %s:', (way) => {
  test('his tokens end with his right, sockets too, and the answer and the audit name them', async () => {
    const { id, own, second } = await aMaker(`anna-${way}`)
    expect((await tokens()).find((one) => one.id === second.id)).toMatchObject({
      madeBy: { id: `user:${id}`, name: `anna-${way}` },
      madeWith: own.id,
    })
    const live = await connectLive(server.url, { headers: own.headers })
    const { status, body } = await ways[way](id)
    expect(status).toBe(200)
    const { ended, kept } = (body as { tokens: TokenFate }).tokens
    expect([ended.map((one) => one.id).toSorted(), kept]).toEqual([[own.id, second.id].toSorted(), []])
    expect([await works(own.headers), await works(second.headers)]).toEqual([false, false])
    expect(await live.closed).toMatchObject({ code: 4401 })
    expect(
      (await records('token_revoked'))
        .slice(0, 2)
        .map(({ target }) => target)
        .toSorted(),
    ).toEqual([`of anna-${way}`, `second of anna-${way}`])
  })

  test('they stay when the administrator takes them over, and then they are his', async () => {
    const { id, own } = await aMaker(`bert-${way}`)
    const { body } = await ways[way](id, 'keep')
    expect((body as { tokens: TokenFate }).tokens.kept).toHaveLength(2)
    expect(await works(own.headers)).toBe(true)
    const now = (await tokens()).find((one) => one.id === own.id)!
    expect(now.madeBy!.name).toBe('API token "Environment token"')
    await server.restart()
    expect(await works(own.headers)).toBe(true)
    expect((await records('token_handed_over'))[0]).toMatchObject({ success: true })
  })

  test('no administrator takes over their own tokens', async () => {
    const { id, session } = await aMaker(`carl-${way}`)
    const own = server.as(session)
    const answer = await (way === 'removed'
      ? own('DELETE', `/api/security/users/${id}?tokens=keep`)
      : own('PUT', `/api/security/users/${id}`, { role: 'viewer', tokens: 'keep' }))
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await works(session)).toBe(true)
  })
})

test('[S3] a refused removal ends nothing', async () => {
  const owner = await signIn(server, 'owner')
  const { headers } = await addToken(server.as(owner))
  const { users } = (await server.call('GET', '/api/security/users')).body as {
    users: { id: string; name: string; role: string }[]
  }
  for (const { id, name, role } of users) {
    if (role === 'admin' && name !== 'owner') await server.call('DELETE', `/api/security/users/${id}`)
  }
  const { id } = users.find(({ name }) => name === 'owner')!
  expect((await ways.removed(id)).status).toBe(409)
  expect(await works(headers)).toBe(true)
})

test('[S3] an expired token\u2019s socket closes, though nothing asks it anything', async () => {
  // Of several processes, tokens end by the time of the database, which the test does not move.
  const [now, lastsMs] = answeringServers > 0 ? [Date.now, 5_000] : [clock.now, 900]
  const expiresAt = new Date(now() + lastsMs).toISOString()
  const { headers } = await addToken(server.call, { expiresAt })
  const live = await connectLive(server.url, { headers })
  expect(await live.closed).toMatchObject({ code: 4401 })
  expect(now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
})

describe('[S6] people whom a proxy vouches for', () => {
  const proxied = (roles: string, user = 'pia') => ({
    'x-proxy-secret': 'proxy-secret-0123456789',
    'x-user': user,
    'x-roles': roles,
    origin: server.url,
  })
  const hello = (headers: Record<string, string>) => server.as(headers)('GET', '/api/stats')

  test('who comes with another role loses the socket of the old one, and the tokens of an administrator', async () => {
    const live = await connectLive(server.url, { delta: true, headers: proxied('admin') })
    const { headers } = await addToken(server.as(proxied('admin')))
    const [other, back] = await Promise.all([
      connectLive(server.url, { delta: true, headers: proxied('admin', 'paul') }),
      connectLive(server.url, { delta: true, headers: proxied('users', 'pit') }),
    ])
    await hello(proxied('admin', 'pit'))
    expect(await back.closed).toMatchObject({ code: 4401 })
    expect((await hello(proxied('users'))).status).toBe(200)
    expect(await live.closed).toMatchObject({ code: 4401 })
    await ends(headers)
    other.send({ type: 'ping' })
    await expect.poll(() => other.texts.some(({ type }) => type === 'pong')).toBe(true)
    other.close()
  })

  test('every socket has to connect through the proxy again after a quarter of an hour', async () => {
    const live = await connectLive(server.url, { delta: true, headers: proxied('admin', 'petra') })
    clock.pass(15 * 60_000)
    live.send({ type: 'ping' })
    expect(await live.closed).toMatchObject({ code: 4401 })
    const again = await connectLive(server.url, { delta: true, headers: proxied('admin', 'petra') })
    again.close()
  })
})
