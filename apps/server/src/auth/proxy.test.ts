import { describe, expect, test } from 'vitest'
import { readAccessConfig } from '../start/access-config.ts'
import { aCaller } from './fixtures.ts'
import { type ProxyClaim, readProxyClaim } from './proxy.ts'

const secret = 'proxy-secret-0123456789'
const complete = {
  PULSE_TRUSTED_PROXIES: '10.0.0.1',
  PROXY_AUTH_SECRET: secret,
  PROXY_AUTH_USER_HEADER: 'X-User',
}
const withRoles = { ...complete, PROXY_AUTH_ROLE_HEADER: 'X-Roles', PROXY_AUTH_ADMIN_ROLE: 'pulse-admin' }

type Headers = Record<string, string | string[]>

function claim(env: Record<string, string>, headers: Headers, peer = '10.0.0.1'): ProxyClaim {
  const { proxy, trustedProxies } = readAccessConfig(env)
  return readProxyClaim(proxy, aCaller({ peer, headers }, trustedProxies))
}

/** All combinations of one value for each key. */
function combinations<T>(choices: Record<string, readonly T[]>): Record<string, T>[] {
  return Object.entries(choices).reduce<Record<string, T>[]>(
    (all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  )
}
const present = <T>(values: Record<string, T | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, T>

describe('[S6] settings that are half made are refused at start', () => {
  const subsets = combinations<string | undefined>({
    PULSE_TRUSTED_PROXIES: [undefined, '10.0.0.1'],
    PROXY_AUTH_SECRET: [undefined, secret],
    PROXY_AUTH_USER_HEADER: [undefined, 'X-User'],
    PROXY_AUTH_ROLE_HEADER: [undefined, 'X-Roles'],
    PROXY_AUTH_ADMIN_ROLE: [undefined, 'pulse-admin'],
    PROXY_AUTH_ROLE_SEPARATOR: [undefined, ','],
    PROXY_AUTH_LOGOUT_URL: [undefined, 'https://id.example/logout'],
  }).map(present<string>)

  /** Tests for a complete set of variables, as documented. */
  function isWhole(env: Record<string, string>): boolean {
    const has = (name: string) => env[`PROXY_AUTH_${name}`] !== undefined
    const needsRoleHeader = has('ADMIN_ROLE') || has('ROLE_SEPARATOR')
    return (
      'PULSE_TRUSTED_PROXIES' in env &&
      has('SECRET') &&
      has('USER_HEADER') &&
      (has('ROLE_HEADER') || !needsRoleHeader)
    )
  }
  const isNone = (env: Record<string, string>) =>
    !Object.keys(env).some((name) => name.startsWith('PROXY_AUTH'))

  const kinds = { whole: subsets.filter(isWhole), none: subsets.filter(isNone) }
  const half = subsets.filter((env) => !isWhole(env) && !isNone(env))

  test('all 128 subsets are looked at', () => {
    expect([subsets.length, kinds.whole.length, kinds.none.length, half.length]).toEqual([128, 10, 2, 116])
  })

  test.each(half.map((env) => [Object.keys(env).join(' '), env] as const))('%s', (_, env) => {
    expect(() => readAccessConfig(env)).toThrow(/PROXY_AUTH_|PULSE_TRUSTED_PROXIES/)
  })

  test.each(kinds.whole.map((env) => [Object.keys(env).join(' '), env] as const))(
    '%s is whole: an administrator only on the exact role, or when roles are not set up',
    (_, env) => {
      const hasRoles = 'PROXY_AUTH_ROLE_HEADER' in env
      const admin = env['PROXY_AUTH_ADMIN_ROLE'] ?? 'admin'
      const as = (roles: Headers) => claim(env, { 'x-proxy-secret': secret, 'x-user': 'anna', ...roles })
      expect(as({ 'x-roles': admin })).toEqual({ kind: 'user', name: 'anna', role: 'admin' })
      for (const roles of [{}, { 'x-roles': 'viewer' }, { 'x-roles': '' }, { 'x-roles': [admin, admin] }]) {
        expect(as(roles)).toMatchObject({ role: hasRoles ? 'viewer' : 'admin' })
      }
    },
  )

  test.each(kinds.none.map((env) => [JSON.stringify(env), env] as const))(
    '%s: its headers mean nothing',
    (_, env) => {
      expect(claim(env, { 'x-proxy-secret': secret, 'x-user': 'anna' })).toEqual({ kind: 'none' })
    },
  )

  test.each([
    { PROXY_AUTH_SECRET: 'short' },
    { PROXY_AUTH_SECRET: '   ' },
    { PROXY_AUTH_USER_HEADER: ' ' },
    { PROXY_AUTH_USER_HEADER: 'X User' },
    { PROXY_AUTH_USER_HEADER: 'X-User:' },
    { PROXY_AUTH_USER_HEADER: 'X_User' },
    { PROXY_AUTH_USER_HEADER: 'X-Proxy-Secret' },
    { PROXY_AUTH_USER_HEADER: 'Host' },
    { PROXY_AUTH_USER_HEADER: 'cookie' },
    { PROXY_AUTH_USER_HEADER: 'Authorization' },
    { PROXY_AUTH_ROLE_HEADER: 'x-proxy-secret' },
    { PROXY_AUTH_ROLE_HEADER: 'x-user' },
    { PROXY_AUTH_LOGOUT_URL: 'javascript:alert(1)' },
    { PROXY_AUTH_LOGOUT_URL: '//evil.example' },
    { PROXY_AUTH_LOGOUT_URL: '/\\evil.example' },
    { PROXY_AUTH_LOGOUT_URL: 'logout' },
    { PULSE_TRUSTED_PROXIES: 'proxy.lan' },
    { PULSE_TRUSTED_PROXIES: ' , ' },
  ])('%j beside a whole set', (wrong) => {
    expect(() => readAccessConfig({ ...withRoles, ...wrong })).toThrow(/PROX(Y|IES)|header|https/)
  })

  test.each(['0.0.0.0/0', '::/0', '0.0.0.0/1', '128.0.0.0/1', '2000::/3', '10.0.0.1,0.0.0.0/0'])(
    'trusting everybody (%s), with and without the rest',
    (everybody) => {
      for (const env of [{}, complete]) {
        const read = () => readAccessConfig({ ...env, PULSE_TRUSTED_PROXIES: everybody })
        expect(read).toThrow(/PULSE_TRUSTED_PROXIES covers the whole internet/)
      }
    },
  )
})

describe('[S6] with whole settings', () => {
  const cases = combinations<string | string[] | undefined>({
    peer: ['10.0.0.1', '::ffff:10.0.0.1', '10.0.0.2', '127.0.0.1', ''],
    'x-proxy-secret': [
      undefined,
      secret,
      `${secret} `,
      secret.toUpperCase(),
      '',
      [secret, secret],
      `${secret}, ${secret}`,
    ],
    'x-user': [undefined, 'anna', ' anna ', '', '  ', ['anna', 'bert'], 'a'.repeat(129)],
    'x-roles': [undefined, 'pulse-admin', 'viewer|pulse-admin', 'PULSE-ADMIN', ['pulse-admin', 'viewer']],
  })

  test(`the right secret from a trusted peer with one user name, and nothing else: ${cases.length} cases`, () => {
    for (const { peer, ...headers } of cases) {
      const isTrusted = peer === '10.0.0.1' || peer === '::ffff:10.0.0.1'
      const isShown = headers['x-proxy-secret'] !== undefined
      const isRight =
        headers['x-proxy-secret'] === secret && ['anna', ' anna '].includes(String(headers['x-user']))
      const isAdmin = ['pulse-admin', 'viewer|pulse-admin'].includes(headers['x-roles'] as string)
      const expected =
        !isTrusted || !isShown
          ? { kind: 'none' }
          : isRight && !Array.isArray(headers['x-user'])
            ? { kind: 'user', name: 'anna', role: isAdmin ? 'admin' : 'viewer' }
            : { kind: 'refused' }
      const name = JSON.stringify({ peer, ...headers })
      expect(claim(withRoles, present(headers), peer as string), name).toEqual(expected)
    }
  })

  test.each([
    { roles: 'pulse-admin', separator: '|', role: 'admin' },
    { roles: 'a|pulse-admin|b', separator: '|', role: 'admin' },
    { roles: 'a | pulse-admin', separator: '|', role: 'admin' },
    { roles: 'a,pulse-admin', separator: ',', role: 'admin' },
    { roles: 'a;;pulse-admin', separator: ';;', role: 'admin' },
    { roles: 'a pulse-admin', separator: ' ', role: 'admin' },
    { roles: 'a,pulse-admin', separator: '|', role: 'viewer' },
    { roles: 'pulse-admins', separator: '|', role: 'viewer' },
    { roles: 'not-pulse-admin', separator: '|', role: 'viewer' },
    { roles: 'Pulse-Admin', separator: '|', role: 'viewer' },
    { roles: '*', separator: '|', role: 'viewer' },
    { roles: '', separator: '|', role: 'viewer' },
    { roles: '|', separator: '|', role: 'viewer' },
  ])('"$roles" split at "$separator": $role', ({ roles, separator, role }) => {
    const env = { ...withRoles, PROXY_AUTH_ROLE_SEPARATOR: separator }
    expect(claim(env, { 'x-proxy-secret': secret, 'x-user': 'anna', 'x-roles': roles })).toMatchObject({
      role,
    })
  })

  test('the names of headers are read in any case', () => {
    const env = { ...complete, PROXY_AUTH_USER_HEADER: 'REMOTE-USER' }
    expect(claim(env, { 'x-proxy-secret': secret, 'remote-user': 'anna' })).toMatchObject({ name: 'anna' })
  })
})
