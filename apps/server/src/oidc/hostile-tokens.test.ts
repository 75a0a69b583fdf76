import { type Bends, type HostileProvider, Raw, startHostileProvider } from '@pulse/lab'
import type { OidcErrorCode } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OidcArea } from './single-sign-on.ts'
import { anArea, person, secret, visit, withClaim, without } from './fixtures.ts'

let provider: HostileProvider
let area: OidcArea
let lines: string[]
beforeAll(async () => {
  provider = await startHostileProvider({ clientId: 'pulse', clientSecret: secret, claims: person })
})
afterAll(() => provider.close())
beforeEach(async () => {
  provider.bend({})
  const settings = {
    issuerUrl: provider.issuer,
    clientId: 'pulse',
    clientSecret: secret,
    groupsClaim: 'groups',
  }
  ;({ area, lines } = await anArea({ enabled: true, ...settings }))
})

const now = () => Math.floor(Date.now() / 1000)
const json = (body: unknown, status = 200) => new Raw({ status, body: JSON.stringify(body) })

test('[S7] the proper answer of the same provider is accepted', async () => {
  expect(await area.finish(await visit(area, '/storage?tab=disks'))).toEqual({
    ok: true,
    returnTo: '/storage?tab=disks',
    identity: {
      issuer: provider.issuer,
      subject: 'u-1',
      name: 'alice',
      email: 'alice@example.test',
      role: 'viewer',
    },
  })
})

test('[S7] after signing in no user is sent elsewhere', async () => {
  for (const returnTo of ['//evil.test', '/..//evil.test', '/\\evil.test', 'https://evil.test/']) {
    expect(await area.finish(await visit(area, returnTo))).toMatchObject({ ok: true, returnTo: '/' })
  }
})

describe('[S7] what the provider sends for the code', () => {
  const cases: [string, OidcErrorCode, () => Bends][] = [
    ['another issuer', 'invalid_id_token', () => ({ claims: withClaim({ iss: 'https://evil.test' }) })],
    [
      'the issuer with a slash',
      'invalid_id_token',
      () => ({ claims: withClaim({ iss: `${provider.issuer}/` }) }),
    ],
    ['no issuer', 'invalid_id_token', () => ({ claims: without('iss') })],
    [
      'an issuer that is a list',
      'invalid_id_token',
      () => ({ claims: withClaim({ iss: [provider.issuer] }) }),
    ],
    ['another audience', 'invalid_id_token', () => ({ claims: withClaim({ aud: 'grafana' }) })],
    ['a list without us', 'invalid_id_token', () => ({ claims: withClaim({ aud: ['grafana', 'wiki'] }) })],
    ['an empty audience', 'invalid_id_token', () => ({ claims: withClaim({ aud: [] }) })],
    ['no audience', 'invalid_id_token', () => ({ claims: without('aud') })],
    ['an audience that is a number', 'invalid_id_token', () => ({ claims: withClaim({ aud: 1 }) })],
    [
      'a second audience, no azp',
      'invalid_id_token',
      () => ({ claims: withClaim({ aud: ['pulse', 'wiki'] }) }),
    ],
    [
      'a second audience for another party',
      'invalid_id_token',
      () => ({ claims: withClaim({ aud: ['pulse', 'wiki'], azp: 'wiki' }) }),
    ],
    ['a token that has ended', 'invalid_id_token', () => ({ claims: withClaim({ exp: now() - 3600 }) })],
    ['a token without an end', 'invalid_id_token', () => ({ claims: without('exp') })],
    ['an end that is a text', 'invalid_id_token', () => ({ claims: withClaim({ exp: '9999999999' }) })],
    ['a token of tomorrow', 'invalid_id_token', () => ({ claims: withClaim({ nbf: now() + 86_400 }) })],
    ['a token without birth', 'invalid_id_token', () => ({ claims: without('iat') })],
    ['another nonce', 'invalid_nonce', () => ({ claims: withClaim({ nonce: 'x'.repeat(43) }) })],
    ['no nonce', 'invalid_nonce', () => ({ claims: without('nonce') })],
    ['a nonce in a list', 'invalid_nonce', () => ({ claims: (c) => ({ ...c, nonce: [c['nonce']] }) })],
    ['no subject', 'invalid_claims', () => ({ claims: without('sub') })],
    ['an empty subject', 'invalid_claims', () => ({ claims: withClaim({ sub: '' }) })],
    ['a subject that is a number', 'invalid_claims', () => ({ claims: withClaim({ sub: 1 }) })],
    ['a subject with a line break', 'invalid_claims', () => ({ claims: withClaim({ sub: 'u-1\nu-2' }) })],
    ['an endless subject', 'invalid_claims', () => ({ claims: withClaim({ sub: 'u'.repeat(256) }) })],
    ['no signature: none', 'invalid_signature_alg', () => ({ header: () => ({ alg: 'none' }) })],
    ['no signature: None', 'invalid_signature_alg', () => ({ header: () => ({ alg: 'None' }) })],
    ['no algorithm', 'invalid_signature_alg', () => ({ header: () => ({ kid: 'rsa' }) })],
    ['HS256 by the client secret', 'invalid_signature_alg', () => ({ header: () => ({ alg: 'HS256' }) })],
    ['HS512 by the client secret', 'invalid_signature_alg', () => ({ header: () => ({ alg: 'HS512' }) })],
    [
      'HS256 by the public key',
      'invalid_signature_alg',
      () => ({ header: () => ({ alg: 'HS256', kid: 'rsa' }), secret: JSON.stringify(provider.publicKey) }),
    ],
    [
      'an algorithm it does not advertise',
      'invalid_signature_alg',
      () => ({ header: () => ({ alg: 'RS512', kid: 'rsa' }) }),
    ],
    ['EdDSA', 'invalid_signature_alg', () => ({ header: () => ({ alg: 'EdDSA', kid: 'ed' }), key: 'ed' })],
    ['the key of a stranger', 'invalid_id_token', () => ({ key: 'stranger' })],
    ['an unknown key', 'invalid_id_token', () => ({ header: withClaim({ kid: 'gone' }), key: 'stranger' })],
    [
      'a key that comes with the token',
      'invalid_id_token',
      () => ({ header: withClaim({ kid: 'mine', jwk: provider.publicKey }) }),
    ],
    [
      'a key from elsewhere',
      'invalid_id_token',
      () => ({ header: withClaim({ kid: 'mine', jku: 'https://evil.test/keys' }), key: 'stranger' }),
    ],
    [
      'one key under the name of another kind',
      'invalid_id_token',
      () => ({ header: withClaim({ alg: 'ES256', kid: 'rsa' }), key: 'ec' }),
    ],
    [
      'an extension that must be understood',
      'invalid_id_token',
      () => ({ header: withClaim({ crit: ['exp'] }) }),
    ],
    ['a cut signature', 'invalid_id_token', () => ({ idToken: (token) => token.slice(0, -10) })],
    ['no signature part', 'invalid_id_token', () => ({ idToken: (t) => t.replace(/[^.]*$/, '') })],
    [
      'changed claims under the old signature',
      'invalid_id_token',
      () => ({
        idToken(token) {
          const [header, claims, signature] = token.split('.')
          const changed = { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), sub: 'u-0' }
          return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
        },
      }),
    ],
    ['two parts', 'invalid_id_token', () => ({ idToken: (token) => token.split('.').slice(0, 2).join('.') })],
    ['an encrypted token', 'invalid_id_token', () => ({ idToken: () => 'a.b.c.d.e' })],
    ['a header that is no JSON', 'invalid_id_token', () => ({ idToken: () => '%%%.e30.sig' })],
    ['a header that is a list', 'invalid_id_token', () => ({ idToken: () => 'W10.e30.sig' })],
    ['a token that is an object', 'invalid_id_token', () => ({ idToken: () => ({ sub: 'u-1' }) })],
    ['no ID token', 'missing_id_token', () => ({ idToken: () => undefined })],
    ['an ID token that is null', 'missing_id_token', () => ({ idToken: () => null })],
    ['no access token', 'exchange_failed', () => ({ token: without('access_token') })],
    ['an unknown type of token', 'exchange_failed', () => ({ token: withClaim({ token_type: 'mac' }) })],
    ['an error', 'exchange_failed', () => ({ token: () => json({ error: 'invalid_grant' }, 400) })],
    [
      'an error that forges the log',
      'exchange_failed',
      () => ({ token: () => json({ error: 'a\nb' }, 400) }),
    ],
    ['a page', 'exchange_failed', () => ({ token: () => new Raw({ body: '<html>' }) })],
    ['a list', 'exchange_failed', () => ({ token: () => json([]) })],
    ['a failure', 'exchange_failed', () => ({ token: () => new Raw({ status: 502 }) })],
    ['an unauthorised', 'exchange_failed', () => ({ token: () => new Raw({ status: 401 }) })],
    ['nothing at all', 'exchange_failed', () => ({ token: () => new Raw({ status: 204 }) })],
    [
      'a redirect',
      'exchange_failed',
      () => ({ token: () => new Raw({ status: 307, headers: { location: `${provider.issuer}/keys` } }) }),
    ],
    ['a hang-up', 'exchange_failed', () => ({ token: () => new Raw({ manner: 'reset' }) })],
    ['silence', 'exchange_failed', () => ({ token: () => new Raw({ manner: 'silent' }) })],
    ['a byte now and then', 'exchange_failed', () => ({ token: () => new Raw({ manner: 'dribble' }) })],
    ['an endless answer', 'exchange_failed', () => ({ token: () => new Raw({ manner: 'endless' }) })],
    ['an endless list of keys', 'exchange_failed', () => ({ keys: () => new Raw({ manner: 'endless' }) })],
    ['silence instead of keys', 'exchange_failed', () => ({ keys: () => new Raw({ manner: 'silent' }) })],
    [
      'keys elsewhere',
      'exchange_failed',
      () => ({ keys: () => new Raw({ status: 302, headers: { location: '/' } }) }),
    ],
    ['no keys', 'invalid_id_token', () => ({ keys: () => ({ keys: [] }) })],
    [
      'a key without its figures',
      'invalid_id_token',
      () => ({ keys: () => ({ keys: [{ kty: 'RSA', kid: 'rsa' }] }) }),
    ],
    [
      'the same key twice',
      'invalid_id_token',
      () => ({
        header: () => ({ alg: 'RS256' }),
        keys: () => ({ keys: [provider.publicKey, provider.publicKey] }),
      }),
    ],
    [
      'a key for something else',
      'invalid_id_token',
      () => ({ keys: () => ({ keys: [{ ...provider.publicKey, use: 'enc' }] }) }),
    ],
  ]

  test.each(cases)('%s is refused as %s', async (_what, code, bends) => {
    provider.bend(bends())
    const coming = await visit(area, '/storage')
    expect(await area.finish(coming)).toMatchObject({ ok: false, code, returnTo: '/storage' })
    expect(await area.finish(coming)).toMatchObject({ ok: false, code: 'invalid_state' })
    expect(lines.join('')).not.toContain(secret)
  })
})
