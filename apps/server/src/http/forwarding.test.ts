import { SecurityStatus } from '@pulse/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { addUser, signIn } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const status = async (headers: Record<string, string>) =>
  SecurityStatus.parse((await server.as(headers)('GET', '/api/security/status')).body)
const asAdmin = { 'x-api-token': adminToken }
const warnings = () => server.logLines.filter((line) => line.includes('PULSE_TRUSTED_PROXIES'))

test.skipIf(isForOneProcess('each process names the proxies that it has seen'))(
  '[S6] a proxy that is not declared is named to the administrator, in the log once',
  async () => {
    expect(await status(asAdmin)).not.toHaveProperty('undeclaredProxies')
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
      await server.as({ [header]: '203.0.113.9' })('GET', '/api/stats')
    }
    expect((await status(asAdmin)).undeclaredProxies).toEqual([
      { peer: '127.0.0.1', header: 'x-forwarded-for' },
    ])
    expect(warnings()).toHaveLength(1)
    expect(JSON.parse(warnings()[0]!)).toMatchObject({
      level: 40,
      peer: '127.0.0.1',
      header: 'x-forwarded-for',
    })
  },
)

test('[S6] strangers and viewers do not see it', async () => {
  await addUser(server, 'victor', 'viewer')
  for (const headers of [{}, await signIn(server, 'victor')]) {
    expect(await status(headers)).not.toHaveProperty('undeclaredProxies')
  }
})

test('[S6] one that is declared is no matter', async () => {
  await server.restart({ API_TOKENS: adminToken, PULSE_TRUSTED_PROXIES: '127.0.0.1' })
  server.logLines.length = 0
  await server.as({ 'x-forwarded-for': '203.0.113.9' })('GET', '/api/stats')
  expect(await status(asAdmin)).not.toHaveProperty('undeclaredProxies')
  expect(warnings()).toEqual([])
})
