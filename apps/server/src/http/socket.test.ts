import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringServers } from '../testing/database-of-tests.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, signIn } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let session: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  await addUser(server, 'victor', 'viewer')
  session = await signIn(server, 'victor')
})
afterAll(() => server.stop())

const opens = (headers: Record<string, string>, url = server.url) =>
  connectLive(url, { delta: true, headers }).then(
    (client) => {
      client.close()
      return 'open'
    },
    (error: Error) => /\d{3}/.exec(error.message)?.[0],
  )

describe('[S2] the socket passes the same gate', () => {
  test('no credentials, junk and a token without the scope are refused', async () => {
    expect(await opens({})).toBe('401')
    expect(await opens({ 'x-api-token': 'junk' })).toBe('401')
    expect(await opens({ cookie: `pulse_session=${'0'.repeat(64)}`, origin: server.url })).toBe('401')
    const report = await addToken(server.call, { scopes: ['docker:report'] })
    expect(await opens(report.headers)).toBe('403')
  })

  test('a session needs the origin of this very site', async () => {
    const { port } = new URL(server.url)
    const { cookie } = session as { cookie: string }
    expect(await opens({ cookie, origin: server.url })).toBe('open')
    for (const origin of [
      'null',
      'http://evil.example',
      'http://127.0.0.1',
      `http://127.0.0.1:${Number(port) + 1}`,
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `${server.url}.evil.example`,
      `http://evil.example#${server.url}`,
      `http://evil.example/${server.url}`,
      `${server.url}/`,
    ]) {
      expect(await opens({ cookie, origin }), origin).toBe('403')
    }
    expect(await opens({ cookie }), 'no origin').toBe('403')
    expect(await opens({ cookie, origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' })).toBe(
      '403',
    )
  })

  test('behind a proxy that speaks HTTPS, the configured public address counts as this site', async () => {
    await server.restart({ API_TOKENS: adminToken, PULSE_PUBLIC_URL: 'https://pulse.example.com' })
    const { cookie } = session as { cookie: string }
    expect(await opens({ cookie, origin: 'https://pulse.example.com' })).toBe('open')
    expect(await opens({ cookie, origin: 'https://pulse.example.com.evil.example' })).toBe('403')
    const call = server.as({ ...session, origin: 'https://pulse.example.com' })
    expect((await call('POST', '/api/logout', { surprise: 1 })).status).toBe(400)
    await server.restart({ API_TOKENS: adminToken })
  })

  test('a token in the query opens the socket, and only the socket; it is never logged', async () => {
    const where = `/ws?token=${adminToken}`
    const client = await connectLive(server.url, { delta: true, headers: {}, where })
    client.close()
    expect((await server.as({})('GET', `/api/state?token=${adminToken}`)).status).toBe(401)
    expect(server.logLines.join('')).not.toContain(adminToken)
  })

  test('a program with a token needs no origin, a page elsewhere with one is refused', async () => {
    expect(await opens({ 'x-api-token': adminToken })).toBe('open')
    expect(await opens({ 'x-api-token': adminToken, origin: 'http://evil.example' })).toBe('403')
  })

  test('an unknown path is no socket', async () => {
    await expect(connectLive(server.url, { where: '/ws/other' })).rejects.toThrow('404')
    await expect(connectLive(server.url, { where: '/api/state' })).rejects.toThrow('404')
  })

  test('[R16] however many come back at once, only refused ones are counted', async () => {
    const opened = await Promise.all(Array.from({ length: 200 }, () => opens({ 'x-api-token': adminToken })))
    expect(new Set(opened)).toEqual(new Set(['open']))
    const refused: (string | undefined)[] = []
    // each process counts those that it refuses
    const attempts = 125 * Math.max(1, answeringServers)
    for (let n = 0; n < attempts; n++) refused.push(await opens({}))
    expect(new Set(refused)).toEqual(new Set(['401', '429']))
    expect(await opens({ 'x-api-token': adminToken })).toBe('open')
    expect(await opens({ 'x-api-token': adminToken, origin: 'http://evil.example' }), 'any way counts').toBe(
      '429',
    )
  })
})
