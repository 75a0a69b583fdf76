import type { ApiToken } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { addToken, addUser, signIn, steppedClock } from '../testing/people.ts'
import { rawClient } from '../testing/raw-client.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const clock = steppedClock()
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock)
  await addUser(server, 'owner', 'admin')
})
afterAll(() => server.stop())
beforeEach(() => clock.pass(61_000))

const tokenNames = async () =>
  ((await server.call('GET', '/api/security/tokens')).body as { tokens: ApiToken[] }).tokens.map(
    ({ name }) => name,
  )

/** A call with accepted headers (100 Continue) that sends its body later. */
async function begun(where: string, body: unknown, headers: Record<string, string>) {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    Host: 'pulse',
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(text.length),
    Expect: '100-continue',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const client = await rawClient(new URL(server.url).port, `POST ${where} HTTP/1.1\r\n${lines.join('')}\r\n`)
  await vi.waitFor(() => expect(client.received).toContain('100 Continue'), within(30_000))
  client.received = ''
  return async () => {
    client.socket.write(text)
    await client.ended
    client.socket.destroy()
    return Number(client.received.split(' ')[1])
  }
}

describe('[S3] a right that ends while the body of a call is on its way is over:', () => {
  const call = { where: '/api/security/tokens', body: { name: 'for later' } }

  test.each([
    ['removed', (id: string) => server.call('DELETE', `/api/security/users/${id}`)],
    ['demoted', (id: string) => server.call('PUT', `/api/security/users/${id}`, { role: 'viewer' })],
  ] as const)('an administrator who is %s makes no token', async (way, end) => {
    const id = await addUser(server, `anna-${way}`, 'admin')
    const finish = await begun(call.where, call.body, await signIn(server, `anna-${way}`))
    expect((await end(id)).status).toBe(200)
    expect(await finish()).toBe(401)
    expect(await tokenNames()).not.toContain('for later')
  })

  test('a token that is revoked makes no other one', async () => {
    const own = await addToken(server.call, { name: 'short' })
    const finish = await begun(call.where, call.body, own.headers)
    expect((await server.call('DELETE', `/api/security/tokens/${own.id}`)).status).toBe(204)
    expect(await finish()).toBe(401)
    expect(await tokenNames()).not.toContain('for later')
  })
})
