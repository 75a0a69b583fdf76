import { NodeInput, NodeConfig, sourceKinds } from '@pulse/contract'
import { type Connection, Secret } from '@pulse/domain'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { anyText } from '../testing/any-text.ts'
import { changedConnection, newConnection } from './input.ts'
import { toNodeConfig } from './show.ts'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const pin = 'ab'.repeat(32)

const stored: Connection = {
  id: 'pbs-1',
  kind: 'pbs',
  name: 'vault',
  host: 'https://vault.lan:8007',
  auth: { type: 'token', tokenId: 'mon@pbs!pulse', secret: new Secret('stored') },
  fingerprint: pin,
  verifySSL: true,
  flags: {},
}

test.each([
  ['pve', 'https://box.lan:8006', 'root@pam'],
  ['pbs', 'https://box.lan:8007', 'root@pbs'],
  ['pmg', 'https://box.lan:8006', 'root@pmg'],
] as const)(
  '[platform 10.1] %s: a name from the host, the usual port %s and realm %s',
  (type, host, user) => {
    expect(newConnection('x', { type, host: 'box.lan', user: 'root', password: 'p' })).toMatchObject({
      name: 'box.lan',
      host,
      auth: { user },
      verifySSL: true,
    })
  },
)

describe('[S11] a stored secret goes only to the host it was saved for', () => {
  test.each<[string, Omit<NodeInput, 'type'>]>([
    ['nothing changed', {}],
    ['everything as it is', { host: 'vault.lan', fingerprint: pin.toUpperCase(), verifySSL: true }],
    ['another name and other flags', { name: 'x', monitorSyncJobs: false }],
    ['blank secrets', { tokenValue: '', password: '' }],
    ['another token of it', { tokenName: 'mon@pbs!other' }],
  ])('%s: the stored one', (_case, change) => {
    const { auth } = changedConnection(stored, { type: 'pbs', ...change })
    expect(auth.type === 'token' && auth.secret.reveal()).toBe('stored')
  })

  const changes: [string, Omit<NodeInput, 'type'>][] = [
    ['another host', { host: 'https://elsewhere.lan' }],
    ['another port', { host: 'https://vault.lan:9999' }],
    ['another fingerprint', { fingerprint: 'cd'.repeat(32) }],
    ['no fingerprint', { fingerprint: '' }],
    ['no verification', { verifySSL: false }],
  ]
  test.each(changes)('%s: refused', (_case, change) => {
    expect(() => changedConnection(stored, { type: 'pbs', ...change })).toThrow(
      expect.objectContaining({
        code: 'secret_required',
        message: expect.stringContaining('Enter the token value again: Pulse never sends') as string,
      }) as Error,
    )
  })
  test.each(changes)('%s with a secret that was typed: that one', (_case, change) => {
    const { auth } = changedConnection(stored, { type: 'pbs', ...change, tokenValue: 'typed' })
    expect(auth.type === 'token' && auth.secret.reveal()).toBe('typed')
    const login = changedConnection(stored, { type: 'pbs', ...change, user: 'mon', password: 'typed' })
    expect(login.auth.type === 'password' && login.auth.password.reveal()).toBe('typed')
  })
})

test('[S18] what members showed counts only as long as the same check brought it', () => {
  const memberFingerprints = { pve2: 'ee'.repeat(32) }
  const { fingerprint: _, ...unpinned } = { ...stored, memberFingerprints, clusterName: 'c' }
  const unchecked: Connection = { ...unpinned, verifySSL: false }
  expect(changedConnection(unchecked, { name: 'x' })).toMatchObject({ memberFingerprints })
  for (const change of [{ verifySSL: true }, { fingerprint: pin }]) {
    const { auth, ...changed } = changedConnection(unchecked, change)
    expect(changed).not.toHaveProperty('memberFingerprints')
    expect(auth.type === 'token' && auth.secret.reveal()).toBe('stored')
  }
})

const hostile = fc.oneof(
  anyText({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.webUrl(),
  fc
    .array(
      fc.constantFrom(
        'https://',
        'http://',
        'file:///etc/passwd',
        'javascript:',
        'pve1',
        '127.0.0.1',
        '[::1]',
        ':8006',
        ':99999',
        '@',
        '\\',
        '/../',
        '$(id)',
        '`id`',
        "';--",
        '"><script>',
        '\u0000',
        '\r\nX-Injected: 1',
        '\u202e',
        '%00',
        '#',
        '?',
        ' ',
        '__proto__',
        '🏢',
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

test('1,000 hostile addresses are refused cleanly, or are a plain https origin', () => {
  const kind = fc.constantFrom(...sourceKinds)
  fc.assert(
    fc.property(kind, hostile, (type, host) => {
      try {
        const connection = newConnection('x', { type, host, user: 'root', password: 'p' })
        expect(connection.host).toMatch(/^https:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+):[1-9]\d{0,4}$/)
        const { hostname, port, origin } = new URL(connection.host)
        expect(connection.host).toBe(port === '' ? `${origin}:443` : `https://${hostname}:${port}`)
        expect(newConnection('x', { type, host: connection.host, user: 'root', password: 'p' }).host).toBe(
          connection.host,
        )
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect((error as AppError).code).toMatch(/^(validation_failed|secret_required)$/)
      }
    }),
    { numRuns: 1_000 * scale },
  )
})

test('1,000 hostile names, users, tokens and fingerprints never break out of their field', () => {
  const input = fc.record(
    {
      name: hostile,
      user: hostile,
      password: hostile,
      tokenName: hostile,
      tokenValue: hostile,
      fingerprint: hostile,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.constantFrom(...sourceKinds), input, fc.boolean(), (type, fields, isNew) => {
      try {
        const connection = isNew
          ? newConnection('x', { type, host: 'box.lan', ...fields })
          : changedConnection({ ...stored, kind: type }, { type, ...fields })
        expect(connection.name).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u)
        if (connection.auth.type === 'token') {
          expect(connection.auth.tokenId).toMatch(/^[!-~]+$/)
          expect(connection.auth.secret.reveal()).toMatch(/^[!-~]+$/)
        }
        const shown = toNodeConfig(connection, undefined)
        expect(NodeConfig.safeParse(shown).error).toBeUndefined()
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect((error as AppError).code).toMatch(/^(validation_failed|secret_required)$/)
      }
    }),
    { numRuns: 1_000 * scale },
  )
})

describe('the site of a connection', () => {
  const siteAfter = (site: string | undefined, change: Partial<NodeInput>) =>
    changedConnection(site === undefined ? stored : { ...stored, site }, change).site

  test.each<[string | undefined, Partial<NodeInput>, string | undefined]>([
    [undefined, {}, undefined],
    [undefined, { site: ' Berlin ' }, 'Berlin'],
    ['Berlin', {}, 'Berlin'],
    ['Berlin', { name: 'x' }, 'Berlin'],
    ['Berlin', { site: 'Rome' }, 'Rome'],
    ['Berlin', { site: '' }, undefined],
    ['Berlin', { site: 'main' }, undefined],
  ])('%j with %j becomes %j', (before, change, expected) => expect(siteAfter(before, change)).toBe(expected))

  test('needs no secret again, and is absent for the main one', () => {
    const input = { type: 'pve', host: 'box.lan', user: 'root', password: 'p' } as const
    expect(newConnection('x', { ...input, site: 'Berlin' })).toMatchObject({ site: 'Berlin' })
    expect(newConnection('x', { ...input, site: 'main' })).not.toHaveProperty('site')
    expect(newConnection('x', input)).not.toHaveProperty('site')
  })

  test.each(['x'.repeat(101), '東'.repeat(34), 'a\nb', 'a\u0000b', 'a\u202eb'])('%j is refused', (site) =>
    expect(NodeInput.safeParse({ type: 'pve', site }).success).toBe(false),
  )
})
