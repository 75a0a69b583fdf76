import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OidcProvider, startOidcProvider } from './provider.ts'

const redirectUri = 'http://127.0.0.1:9/callback'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
let provider: OidcProvider

beforeAll(async () => {
  provider = await startOidcProvider({
    clientId: 'product',
    redirectUris: [redirectUri],
    users: [{ sub: 'u-1', preferred_username: 'alice', password: 'alice-password' }],
  })
})
afterAll(() => provider.close())

function ask(more: Record<string, string>) {
  const asked = {
    client_id: 'product',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri,
    state: 's',
  }
  const query = new URLSearchParams({ ...asked, ...more })
  return fetch(`${provider.issuer}/auth?${query}`, { redirect: 'manual' })
}
const withProof = { code_challenge: challenge, code_challenge_method: 'S256' }

test('its discovery document has an endpoint for signing out', async () => {
  const response = await fetch(`${provider.issuer}/.well-known/openid-configuration`)
  expect(await response.json()).toMatchObject({
    issuer: provider.issuer,
    code_challenge_methods_supported: ['S256'],
    end_session_endpoint: `${provider.issuer}/session/end`,
  })
})

test('a sign-in without a proof key is refused', async () => {
  const back = new URL((await ask({})).headers.get('location')!)
  expect(back.searchParams.get('error')).toBe('invalid_request')
})

test('it redirects to registered addresses only', async () => {
  const response = await ask({ ...withProof, redirect_uri: 'http://127.0.0.1:9/elsewhere' })
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
})

test('its login page needs no script and no other resource', async () => {
  const asked = await ask(withProof)
  const page = new URL(asked.headers.get('location')!, provider.issuer)
  const html = await (await fetch(page)).text()
  expect(html).toMatch(/<form method="post" action="\/interaction\/[^"]+">/)
  expect(html).toMatch(/name="username"[\s\S]*name="password"/)
  expect(html).not.toMatch(/<script|<link|<img|@import|https?:/)
})
