import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Raw } from './hostile-answer.ts'
import { type HostileProvider, startHostileProvider } from './hostile.ts'

const redirectUri = 'http://127.0.0.1:9/callback'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
let provider: HostileProvider

beforeAll(async () => {
  provider = await startHostileProvider({
    clientId: 'product',
    claims: { sub: 'u-1', email: 'a@example.test' },
  })
})
afterAll(() => provider.close())
beforeEach(() => provider.bend({}))

async function code(): Promise<string> {
  const query = new URLSearchParams({
    redirect_uri: redirectUri,
    nonce: 'n',
    state: 's',
    code_challenge: challenge,
  })
  const response = await fetch(`${provider.issuer}/authorize?${query}`, { redirect: 'manual' })
  return new URL(response.headers.get('location')!).searchParams.get('code')!
}
const exchange = (form: Record<string, string>) =>
  fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
const proper = async () => ({
  client_id: 'product',
  code: await code(),
  code_verifier: verifier,
  redirect_uri: redirectUri,
})
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as unknown

describe('without changes it is a correct provider', () => {
  test('a code gives a token with the requested nonce', async () => {
    const { id_token: token } = (await (await exchange(await proper())).json()) as { id_token: string }
    expect(claimsOf(token)).toMatchObject({ iss: provider.issuer, aud: 'product', sub: 'u-1', nonce: 'n' })
  })

  test.each([
    ['another client', { client_id: 'other' }, 'invalid_client'],
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:9/x' }, 'invalid_grant'],
    ['an unknown code', { code: 'guessed' }, 'invalid_grant'],
  ])('%s gets no token', async (_what, change, error) => {
    const response = await exchange({ ...(await proper()), ...change })
    expect([response.status, await response.json()]).toEqual([400, { error }])
  })

  test('a code is valid once', async () => {
    const form = await proper()
    expect((await exchange(form)).status).toBe(200)
    expect((await exchange(form)).status).toBe(400)
  })
})

test('a change applies until the next one, and calls are counted from zero', async () => {
  provider.bend({ keys: () => new Raw({ status: 418, body: 'teapot' }) })
  expect((await fetch(`${provider.issuer}/keys`)).status).toBe(418)
  expect(provider.calls().map(({ call }) => call)).toEqual(['GET /keys'])
  provider.bend({})
  expect(provider.calls()).toEqual([])
  expect(await (await fetch(`${provider.issuer}/keys`)).json()).toHaveProperty('keys.length', 3)
})
