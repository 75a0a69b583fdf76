import { describe, expect, test } from 'vitest'
import { aCaller } from './fixtures.ts'
import { networks } from './networks.ts'
import { corsHeaders, frameAncestors, isSocketAllowed, isWriteAllowed, type OriginPolicy } from './origins.ts'

const policy = (...allowedOrigins: string[]): OriginPolicy => ({
  allowedOrigins,
  allowEmbedding: false,
  allowedEmbedOrigins: [],
})
const listed = 'https://wall.example'
const from = (origin: string | undefined, headers: Record<string, string> = {}) =>
  aCaller({ headers: { host: 'pulse.lan:7655', ...(origin === undefined ? {} : { origin }), ...headers } })

/** The rights of a caller: send writes, open a socket with a cookie, open one without. */
const allowed = (caller: ReturnType<typeof aCaller>, policy: OriginPolicy) =>
  [
    isWriteAllowed(caller, policy) && 'write',
    isSocketAllowed(caller, true, policy) && 'cookie socket',
    isSocketAllowed(caller, false, policy) && 'token socket',
  ].filter(Boolean)
const all = ['write', 'cookie socket', 'token socket']

describe('[S2] only exact origins count', () => {
  test.each(['http://pulse.lan:7655', listed])('%s may do all', (origin) => {
    expect(allowed(from(origin), policy(listed))).toEqual(all)
  })

  const strange = [
    'null',
    '',
    '*',
    'undefined',
    'http://pulse.lan',
    'http://pulse.lan:80',
    'http://pulse.lan:7656',
    'http://pulse.lan:76550',
    'https://pulse.lan:7655',
    'ws://pulse.lan:7655',
    'file://',
    'chrome-extension://pulse.lan:7655',
    'http://pulse.lan:7655.evil.example',
    'http://evil.example/http://pulse.lan:7655',
    'http://evil.example?http://pulse.lan:7655',
    'http://evilpulse.lan:7655',
    'http://pulse.lan.evil.example:7655',
    'http://pulse.land:7655',
    'http://sub.pulse.lan:7655',
    'http://pulse.lan.:7655',
    'HTTP://PULSE.LAN:7655',
    'http://Pulse.lan:7655',
    'http://admin@pulse.lan:7655',
    'http://pulse.lan:7655@evil.example',
    'http://pulse.lan:7655/',
    ' http://pulse.lan:7655',
    'http://pulse.lan:7655 http://evil.example',
    'http://pulse.lan:7655, http://evil.example',
    'http://xn--plse-4ra.lan:7655',
    'http://pülse.lan:7655',
    'http://pulse.lan%3a7655',
    'http://192.0.2.1:7655',
    'http://10.0.0.1:7655',
    'http://localhost:7655',
    'http://127.0.0.1:7655',
    'http://[::1]:7655',
    'http://evil.example',
    'http://wall.example',
    'https://wall.example:444',
    'https://wall.example.evil.example',
    'https://notwall.example',
    'https://sub.wall.example',
    'https://wall.example.',
    'https://WALL.example',
    'https://wall.example/',
    'https://user@wall.example',
  ]
  test.each(strange)('"%s" may do nothing', (origin) => {
    expect(allowed(from(origin), policy(listed))).toEqual([])
    expect(corsHeaders(from(origin), policy(listed))).toEqual({ vary: 'Origin' })
  })

  test.each(strange)('with * "%s" may open a socket with a token and nothing else', (origin) => {
    expect(allowed(from(origin), policy('*'))).toEqual(['token socket'])
    expect(corsHeaders(from(origin), policy('*'))).not.toHaveProperty('access-control-allow-credentials')
  })

  test('an untrusted proxy cannot change the host', () => {
    const lie = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    expect(allowed(from('http://evil.example', lie), policy())).toEqual([])
    expect(allowed(from('https://evil.example', lie), policy())).toEqual([])
    expect(allowed(from('http://pulse.lan:7655', lie), policy())).toEqual(all)
  })

  test('behind a trusted proxy its scheme and host count', () => {
    const headers = { host: 'pulse:7655', 'x-forwarded-host': 'pulse.example', 'x-forwarded-proto': 'https' }
    const seen = (origin: string) =>
      allowed(
        aCaller({ peer: '10.0.0.1', headers: { ...headers, origin } }, networks(['10.0.0.1'])),
        policy(),
      )
    expect(seen('https://pulse.example')).toEqual(all)
    expect(seen('http://pulse.example')).toEqual([])
    expect(seen('http://pulse:7655')).toEqual([])
  })

  test('without a usable Host no origin is our own', () => {
    for (const host of ['', 'a@b', 'pulse.lan/']) {
      expect(allowed(aCaller({ headers: { host, origin: 'http://pulse.lan' } }), policy())).toEqual([])
    }
    expect(allowed(aCaller({ headers: { origin: 'undefined' } }), policy())).toEqual([])
  })
})

describe('[S2] no origin at all', () => {
  test('a program may write and open a socket with a token; a cookie opens none', () => {
    expect(allowed(from(undefined), policy())).toEqual(['write', 'token socket'])
    expect(allowed(from(undefined), policy('*', listed))).toEqual(['write', 'token socket'])
  })

  test.each([
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
    ['anything', false],
  ])('[S4] a browser that says %s may write: %s', (site, expected) => {
    expect(isWriteAllowed(from(undefined, { 'sec-fetch-site': site }), policy('*'))).toBe(expected)
  })
})

describe('[facts/platform 7.4] answers for other sites', () => {
  test('none without a list', () => expect(corsHeaders(from(listed), policy())).toEqual({}))

  test('a listed origin is named, with cookies', () => {
    expect(corsHeaders(from(listed), policy('https://other.example', listed))).toEqual({
      'access-control-allow-origin': listed,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
      'access-control-allow-headers':
        'Content-Type, Authorization, X-API-Token, X-CSRF-Token, X-Requested-With',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
  })

  test('beside * a listed origin still has cookies, any other has none', () => {
    expect(corsHeaders(from(listed), policy('*', listed))).toMatchObject({
      'access-control-allow-origin': listed,
      'access-control-allow-credentials': 'true',
    })
    const other = corsHeaders(from('https://evil.example'), policy('*', listed))
    expect(other['access-control-allow-origin']).toBe('*')
    expect(other).not.toHaveProperty('access-control-allow-credentials')
  })

  test('our own pages need none, but caches must know', () => {
    expect(corsHeaders(from('http://pulse.lan:7655'), policy(listed))).toEqual({ vary: 'Origin' })
    expect(corsHeaders(from(undefined), policy(listed))).toEqual({ vary: 'Origin' })
  })

  test.each([
    { allowEmbedding: false, allowedEmbedOrigins: [], says: "'none'" },
    { allowEmbedding: false, allowedEmbedOrigins: [listed], says: "'none'" },
    { allowEmbedding: true, allowedEmbedOrigins: [], says: "'self'" },
    { allowEmbedding: true, allowedEmbedOrigins: [listed, 'http://b'], says: `'self' ${listed} http://b` },
  ])('frames: $allowEmbedding, $allowedEmbedOrigins', ({ says, ...embedding }) => {
    expect(frameAncestors({ allowedOrigins: ['*'], ...embedding })).toBe(says)
  })
})
