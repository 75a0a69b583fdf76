import { type Bends, type HostileProvider, Raw, startHostileProvider } from '@pulse/lab'
import type { OidcErrorCode } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OidcArea } from './single-sign-on.ts'
import { anArea, person, secret, visit, withClaim, without } from './fixtures.ts'

let provider: HostileProvider
let area: OidcArea

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
  area = (await anArea({ enabled: true, ...settings })).area
})

const nested = (depth: number) => `{"issuer":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('[S7] what the browser brings back', () => {
  const other = () => 'https://evil.test'
  const cases: [string, OidcErrorCode, (answer: URLSearchParams) => void][] = [
    ['another issuer (mix-up)', 'invalid_id_token', (answer) => answer.set('iss', other())],
    ['no issuer although it is promised', 'invalid_id_token', (answer) => answer.delete('iss')],
    [
      'an error of another issuer',
      'invalid_id_token',
      (answer) => (answer.set('iss', other()), answer.set('error', 'access_denied')),
    ],
    ['no state', 'missing_state', (answer) => answer.delete('state')],
    ['an empty state', 'missing_state', (answer) => answer.set('state', '')],
    ['another state', 'invalid_state', (answer) => answer.set('state', 'x'.repeat(43))],
    ['a state of the language', 'invalid_state', (answer) => answer.set('state', '__proto__')],
    ['no code', 'missing_code', (answer) => answer.delete('code')],
    ['an empty code', 'missing_code', (answer) => answer.set('code', '')],
    ['a guessed code', 'exchange_failed', (answer) => answer.set('code', 'guessed')],
    ['a code with parameters in it', 'exchange_failed', (answer) => answer.set('code', 'x&client_id=y')],
    ['a token beside the code', 'exchange_failed', (answer) => answer.set('id_token', 'a.b.c')],
    ['a wrapped answer', 'invalid_id_token', (answer) => answer.set('response', 'a.b.c')],
    ['a refusal', 'access_denied', (answer) => answer.set('error', 'access_denied')],
    ['a refusal to sign in silently', 'login_required', (answer) => answer.set('error', 'login_required')],
    ['an error of its own', 'provider_error', (answer) => answer.set('error', 'server_error')],
    ['an error that is one of ours', 'provider_error', (answer) => answer.set('error', 'email_restricted')],
    [
      'an error that is markup',
      'provider_error',
      (answer) => answer.set('error', '<script>alert(1)</script>'),
    ],
    ['an error of the language', 'provider_error', (answer) => answer.set('error', 'constructor')],
  ]

  test.each(cases)('%s ends as %s', async (_what, code, change) => {
    provider.bend({ authorization: change })
    const outcome = await area.finish(await visit(area))
    expect(outcome).toMatchObject({ ok: false, code })
    expect(JSON.stringify(outcome)).not.toMatch(/<script|evil/)
  })

  test('the code of one sign-in does not serve another', async () => {
    const mine = await visit(area)
    const stolen = await visit(area)
    const query = { ...mine.query, code: stolen.query['code']! }
    expect(await area.finish({ ...mine, query })).toMatchObject({ ok: false, code: 'exchange_failed' })
  })

  test.each([
    ['without its key', () => undefined],
    ['with an empty key', () => ''],
    ['with the key of another sign-in', (other: string) => other],
  ])('a browser %s is refused, and the one that began still gets in', async (_what, keyOf) => {
    const mine = await visit(area)
    const other = await visit(area)
    const browserKey = keyOf(other.browserKey)
    expect(await area.finish({ ...mine, browserKey })).toMatchObject({
      ok: false,
      code: 'invalid_state',
      returnTo: '/',
    })
    expect(await area.finish(mine)).toMatchObject({ ok: true })
  })

  test('a change of the settings ends every sign-in on the way, before its code is used', async () => {
    const coming = await visit(area)
    await area.change({ allowedGroups: ['ops'] })
    expect(await area.finish(coming)).toMatchObject({ ok: false, code: 'invalid_state' })
    expect(provider.calls().map(({ call }) => call)).not.toContain('POST /token')
  })

  test('a sign-in begun under settings that changed has to begin again', async () => {
    provider.bend({
      token(answer) {
        void area.change({ allowedGroups: ['dev'] })
        return answer
      },
    })
    expect(await area.finish(await visit(area))).toMatchObject({ ok: false, code: 'invalid_state' })
  })

  test('of a hundred answers at once exactly one gets in', async () => {
    const coming = await visit(area)
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => area.finish(coming)))
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
    expect(outcomes.filter((outcome) => !outcome.ok && outcome.code === 'invalid_state')).toHaveLength(99)
    expect(provider.calls().filter(({ call }) => call === 'POST /token')).toHaveLength(1)
  })
})

describe('[S7] a provider that describes itself wrongly is not used', () => {
  const endpoint = (name: string, value: unknown): Bends => ({ discovery: withClaim({ [name]: value }) })
  const cases: [string, () => Bends][] = [
    ['another issuer', () => endpoint('issuer', 'https://evil.test')],
    ['the issuer with a slash', () => endpoint('issuer', `${provider.issuer}/`)],
    ['no issuer', () => endpoint('issuer', undefined)],
    ['an issuer that is a list', () => endpoint('issuer', [provider.issuer])],
    ['no token endpoint', () => endpoint('token_endpoint', undefined)],
    ['no keys', () => endpoint('jwks_uri', undefined)],
    ['no authorisation endpoint', () => endpoint('authorization_endpoint', undefined)],
    [
      'an authorisation endpoint that is a script',
      () => endpoint('authorization_endpoint', 'javascript:alert(1)'),
    ],
    ['a plain endpoint elsewhere', () => endpoint('token_endpoint', 'http://192.0.2.1/token')],
    ['the metadata service', () => endpoint('token_endpoint', 'https://169.254.169.254/latest')],
    ['the metadata service, mapped', () => endpoint('jwks_uri', 'https://[::ffff:a9fe:a9fe]/')],
    ['the metadata service, as one number', () => endpoint('userinfo_endpoint', 'https://2852039166/')],
    [
      'a user in an endpoint',
      () => endpoint('token_endpoint', `http://a:b@${new URL(provider.issuer).host}/token`),
    ],
    ['a script to sign out', () => endpoint('end_session_endpoint', 'javascript:alert(1)')],
    ['a file', () => endpoint('jwks_uri', 'file:///etc/passwd')],
    ['a number for an endpoint', () => endpoint('userinfo_endpoint', 1)],
    ['a page', () => ({ discovery: () => new Raw({ body: '<html>' }) })],
    [
      'a redirect',
      () => ({ discovery: () => new Raw({ status: 302, headers: { location: '/authorize' } }) }),
    ],
    ['an endless answer', () => ({ discovery: () => new Raw({ manner: 'endless' }) })],
    ['a byte now and then', () => ({ discovery: () => new Raw({ manner: 'dribble' }) })],
    ['silence', () => ({ discovery: () => new Raw({ manner: 'silent' }) })],
    ['a hang-up', () => ({ discovery: () => new Raw({ manner: 'reset' }) })],
    ['lists in lists', () => ({ discovery: () => new Raw({ body: nested(100_000) }) })],
  ]

  test.each(cases)('%s', async (_what, bends) => {
    provider.bend(bends())
    const { area } = await anArea({ enabled: true, issuerUrl: provider.issuer, clientId: 'pulse' })
    await expect(visit(area)).rejects.toMatchObject({
      code: 'provider_unreachable',
      message: 'Failed to start single sign-on. Please try again.',
    })
    expect(area.status().oidcLogoutURL).toBeUndefined()
    expect(provider.calls().every(({ call }) => call.startsWith('GET /.well-known/'))).toBe(true)
  })

  test.each([
    ['with a slash too many', () => `${provider.issuer}/`, () => `${provider.issuer}/`],
    ['elsewhere', () => 'https://id.example.test', () => 'https://id.example.test'],
    ['with a line break', () => 'https://id.example.test/\nx', () => 'something unreadable'],
    ['without end', () => `https://id.example.test/${'x'.repeat(300)}`, () => 'something unreadable'],
  ])('the log says what it calls itself: %s', async (_what, issuer, logged) => {
    provider.bend(endpoint('issuer', issuer()))
    const { area, lines } = await anArea({ enabled: true, issuerUrl: provider.issuer, clientId: 'pulse' })
    await expect(visit(area)).rejects.toMatchObject({ code: 'provider_unreachable' })
    expect(lines.at(-1)).toContain(`the provider's issuer is ${logged()}, which differs from the issuer URL`)
  })

  test('it is asked again at the next sign-in', async () => {
    provider.bend({ discovery: () => new Raw({ status: 503 }) })
    const { area } = await anArea({
      enabled: true,
      issuerUrl: provider.issuer,
      clientId: 'pulse',
      clientSecret: secret,
    })
    await expect(visit(area)).rejects.toMatchObject({ code: 'provider_unreachable' })
    provider.bend({})
    expect(await area.finish(await visit(area))).toMatchObject({ ok: true })
  })

  test('a provider that offers only shared secrets signs no user in', async () => {
    provider.bend({
      discovery: withClaim({ id_token_signing_alg_values_supported: ['HS256', 'none'] }),
      header: () => ({ alg: 'HS256' }),
    })
    const { area } = await anArea({
      enabled: true,
      issuerUrl: provider.issuer,
      clientId: 'pulse',
      clientSecret: secret,
    })
    expect(await area.finish(await visit(area))).toMatchObject({ ok: false, code: 'invalid_signature_alg' })
  })
})

describe('[S7] the user info endpoint', () => {
  const bare: Bends['claims'] = ({ sub, iss, aud, exp, iat, nonce }) => ({ sub, iss, aud, exp, iat, nonce })

  test('is asked only when a claim is missing from the ID token', async () => {
    await area.finish(await visit(area))
    expect(provider.calls().map(({ call }) => call)).not.toContain('GET /userinfo')
    provider.bend({ claims: bare })
    expect(await area.finish(await visit(area))).toMatchObject({ ok: true, identity: { name: 'alice' } })
    expect(provider.calls().map(({ call }) => call)).toContain('GET /userinfo')
  })

  test.each<[string, OidcErrorCode, Bends['userInfo']]>([
    ['about another user', 'invalid_claims', withClaim({ sub: 'u-0' })],
    ['about no user', 'exchange_failed', without('sub')],
    ['that fails', 'exchange_failed', () => new Raw({ status: 500 })],
    ['that redirects', 'exchange_failed', () => new Raw({ status: 302, headers: { location: '/keys' } })],
    ['that never ends', 'exchange_failed', () => new Raw({ manner: 'endless' })],
    ['that stays silent', 'exchange_failed', () => new Raw({ manner: 'silent' })],
    ['that is no JSON', 'exchange_failed', () => new Raw({ body: 'alice' })],
    [
      'as a token without signature',
      'invalid_signature_alg',
      () =>
        new Raw({
          headers: { 'content-type': 'application/jwt' },
          body: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1LTEifQ.',
        }),
    ],
  ])('%s is refused as %s', async (_what, code, userInfo) => {
    provider.bend({ claims: bare, ...(userInfo && { userInfo }) })
    expect(await area.finish(await visit(area))).toMatchObject({ ok: false, code })
  })

  test('cannot replace what the ID token says', async () => {
    provider.bend({
      claims: without('groups'),
      userInfo: withClaim({ preferred_username: 'root', groups: [] }),
    })
    expect(await area.finish(await visit(area))).toMatchObject({ identity: { name: 'alice' } })
  })
})
