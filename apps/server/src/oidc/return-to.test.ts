import { describe, expect, test } from 'vitest'
import { safeReturnTo, withOutcome } from './return-to.ts'

describe('[S7] after signing in the browser stays on this site', () => {
  test.each(['/', '/storage', '/storage?tab=disks&q=a%20b', '/a/b#c', '/?q=%2F%2Fevil.test', '/a//b', '/ü'])(
    '%s is kept',
    (path) => expect(safeReturnTo(path)).toBe(path === '/ü' ? '/%C3%BC' : path),
  )

  test.each([
    undefined,
    '',
    'storage',
    'https://evil.test/',
    'javascript:alert(1)',
    '//evil.test',
    '///evil.test',
    '////evil.test',
    '/\\evil.test',
    '\\/evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/storage\r\nSet-Cookie: a=b',
    '/storage\u0000',
    '/.//evil.test',
    '/..//evil.test',
    '/a/..//evil.test',
    '/%2e%2e//evil.test',
    '/%2Fevil.test',
    '/%2f/evil.test',
    '/%5Cevil.test',
    '/%5cevil.test',
    '/%252Fevil.test',
    '/%25252Fevil.test',
    '/%0a/evil.test',
    '/%2e%2e/%2f/evil.test',
    '/%',
    '/%ff',
    `/${'a'.repeat(2048)}`,
  ])('%j becomes the start page', (text) => expect(safeReturnTo(text)).toBe('/'))
})

test.each([
  ['/', undefined, '/?oidc=success'],
  ['/storage?tab=disks', undefined, '/storage?tab=disks&oidc=success'],
  ['/a?q=a%20b+c#part', undefined, '/a?q=a%20b+c&oidc=success#part'],
  ['/?oidc=error&oidc_error=invalid_state&x=1', undefined, '/?x=1&oidc=success'],
  ['/?oidcx=1', 'invalid_nonce', '/?oidcx=1&oidc=error&oidc_error=invalid_nonce'],
  ['/', 'access_denied', '/?oidc=error&oidc_error=access_denied'],
])('[spec 1 §2] the outcome is added to %s (%s)', (returnTo, code, expected) => {
  expect(withOutcome(returnTo, code)).toBe(expected)
})
