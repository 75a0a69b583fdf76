import type { SetupScriptUrlReply } from '@pulse/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToken, addUser, signIn } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const wanted = { type: 'pve', host: 'https://127.0.0.1:1' }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await addUser(server, 'owner', 'admin')
})
afterAll(() => server.stop())

async function codeOf(headers: Record<string, string>) {
  const { body } = await server.as(headers)('POST', '/api/setup-script-url', wanted)
  return (body as SetupScriptUrlReply).setupCode
}

test.each(['an administrator who is removed', 'a token that is revoked'])(
  '[S3] a setup code ends with the rights of the user who made it: %s',
  async (who) => {
    const isToken = who.startsWith('a token')
    const token = await addToken(server.call, { scopes: ['settings:write'] })
    const id = await addUser(server, who, 'admin')
    const setupCode = await codeOf(isToken ? token.headers : await signIn(server, who))
    const script = () =>
      server.as({ 'x-setup-code': setupCode })('GET', `/api/setup-script?${new URLSearchParams(wanted)}`)
    expect((await script()).status).toBe(200)
    await server.call('DELETE', isToken ? `/api/security/tokens/${token.id}` : `/api/security/users/${id}`)
    expect((await script()).body).toMatchObject({ code: 'invalid_setup_code' })
    const registered = await server.as({})('POST', '/api/auto-register', {
      ...wanted,
      setupCode,
      serverName: 'pve1',
      tokenId: 'pulse-monitor@pam!pulse-test',
      tokenValue: '4f6d1c0a-3c57-4be0-9d0d-0d1d3f6c8b11',
      fingerprint: 'ab'.repeat(32),
    })
    expect(registered.body).toMatchObject({ code: 'invalid_setup_code' })
    expect((await server.call('GET', '/api/config/nodes')).body).toEqual([])
  },
)
