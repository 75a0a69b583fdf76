import { openSandbox, type Sandbox, type SandboxOptions } from '@pulse/lab'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aCode, aFarEnd, aScript, type FarEnd, harmful, hostileTexts, refusalBody } from './fixtures.ts'
import { tokenNameFor } from './values.ts'

const user = 'pulse-monitor@pam'
const fingerprint = Array(32).fill('AB').join(':')

let far: FarEnd
let host: Sandbox
beforeEach(async () => {
  far = await aFarEnd()
})
afterEach(async () => {
  await host.close()
  await far.close()
})

async function aHost(given: Partial<SandboxOptions> = {}) {
  host = await openSandbox({ product: 'pve', version: '8.4.5', fingerprint, hostname: 'pve1', ...given })
}

const run = ({
  args = [],
  backupPerms = true,
  code = aCode,
}: { args?: string[]; backupPerms?: boolean; code?: string } = {}) =>
  host.bash(['-c', aScript({ pulseUrl: far.url, backupPerms }), 'pulse-setup.sh', ...args], {
    env: code === '' ? {} : { PULSE_SETUP_CODE: code },
  })

const tokenId = () => `${user}!${tokenNameFor(far.url)}`
const rights = () => host.accounts.acl.map(({ path, role, who }) => `${who} ${role} ${path}`).toSorted()
const readers = ['id', 'hostname', 'pveversion', 'pvesh']
const changes = () => host.calls.filter((call) => !readers.includes(call[0]!) && !call.includes('list'))

describe.each([
  { version: '7.4-16', privileges: ['Sys.Audit', 'VM.Monitor'] },
  { version: '8.4.5', privileges: ['Sys.Audit', 'VM.Monitor'] },
  { version: '9.0.10', privileges: undefined },
])('[platform 10.3] Proxmox VE $version', ({ version, privileges }) => {
  const expected = [
    `${user} PVEAuditor /`,
    `${user} PVEDatastoreAdmin /storage`,
    ...(privileges ? [`${user} PulseMonitor /`] : []),
  ]

  test('the account may read and no more, and the host is registered with its certificate', async () => {
    await aHost({ version })
    const { code, stdout, stderr } = await run()
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(rights()).toEqual(expected)
    expect(host.accounts.roles.get('PulseMonitor')).toEqual(privileges)
    expect([...host.accounts.tokens.keys()]).toEqual([tokenId()])
    // without privilege separation: a separated token would have no permissions of its own
    const words = [
      'user',
      'token',
      'add',
      user,
      tokenNameFor(far.url),
      '--privsep',
      '0',
      '--output-format',
      'json',
    ]
    expect(host.calls).toContainEqual(['pveum', ...words])
    const tokenValue = host.accounts.tokens.get(tokenId())!
    expect(far.registered()).toEqual([
      {
        type: 'pve',
        host: 'https://192.0.2.10:8006',
        serverName: 'pve1',
        tokenId: tokenId(),
        tokenValue,
        setupCode: aCode,
        fingerprint,
      },
    ])
    expect(stdout).toContain('PVEDatastoreAdmin')
    expect(stdout + stderr).not.toContain(tokenValue)
    expect(stdout + stderr).not.toContain(aCode)
    expect(host.newFiles()).toEqual([])
  })

  test('a second run replaces the token and leaves everything else as it is', async () => {
    await aHost({ version })
    await run()
    const before = host.accounts.tokens.get(tokenId())
    const { code } = await run()
    expect(code).toBe(0)
    expect(rights()).toEqual(expected)
    expect([...host.accounts.tokens.keys()]).toEqual([tokenId()])
    expect(host.accounts.tokens.get(tokenId())).not.toBe(before)
    expect(far.registered()).toHaveLength(2)
  })

  test('--remove takes everything back, twice without harm', async () => {
    await aHost({ version })
    const roles = [...host.accounts.roles.keys()]
    await run()
    for (const _ of [1, 2]) {
      const { code, stderr } = await run({ args: ['--remove'], code: '' })
      expect(stderr).toBe('')
      expect(code).toBe(0)
      expect([...host.accounts.users]).toEqual(['root@pam'])
      expect(host.accounts.tokens.size).toBe(0)
      expect(rights()).toEqual([])
      expect([...host.accounts.roles.keys()]).toEqual(roles)
    }
  })
})

describe('[platform 10.3] what stands in the way', () => {
  test('without the right to list backups no role that can write is given', async () => {
    await aHost()
    await run({ backupPerms: false })
    expect(rights()).toEqual([`${user} PVEAuditor /`, `${user} PulseMonitor /`])
  })

  test('an upgrade from 8 to 9 leaves the role behind, and it does no harm', async () => {
    await aHost({ version: '9.0.10' })
    host.accounts.roles.set('PulseMonitor', ['Sys.Audit'])
    expect((await run()).code).toBe(0)
    expect(host.accounts.roles.get('PulseMonitor')).toEqual(['Sys.Audit'])
  })

  test('a role of that name without the privilege is mended', async () => {
    await aHost()
    host.accounts.roles.set('PulseMonitor', ['Sys.Audit'])
    expect((await run()).code).toBe(0)
    expect(host.accounts.roles.get('PulseMonitor')).toEqual(['Sys.Audit', 'VM.Monitor'])
  })

  test('another server that watches the same host keeps its token, and the account', async () => {
    await aHost()
    await run()
    host.accounts.tokens.set(`${user}!pulse-other-7655`, 'x')
    const { code, stdout } = await run({ args: ['--remove'] })
    expect(code).toBe(0)
    expect(stdout).toContain('other tokens')
    expect([...host.accounts.tokens.keys()]).toEqual([`${user}!pulse-other-7655`])
    expect(rights()).toHaveLength(3)
  })

  test.each([
    { when: 'not as root', given: { userId: 1000 }, says: 'must run as root' },
    { when: 'on version 6', given: { version: '6.4-15' }, says: 'Proxmox VE 6 is too old' },
    {
      when: 'on another product',
      given: { product: 'pbs', version: '3.2.7' } as const,
      says: 'pveversion is missing',
    },
    { when: 'on a version without a number', given: { version: 'x' }, says: 'cannot be read' },
  ])('$when: nothing is changed, and the reason is said', async ({ given, says }) => {
    await aHost(given)
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain(says)
    expect(changes()).toEqual([])
    expect(far.asked).toEqual([])
  })

  test.each([
    { when: 'no code and no terminal', code: '', says: 'there is no terminal to enter it' },
    { when: 'no code at all', code: 'nope"; x', says: 'This is not a setup code' },
  ])('$when', async ({ code, says }) => {
    await aHost()
    const result = await run({ code })
    expect(result.code).toBe(1)
    expect(result.stderr).toContain(says)
    expect(changes()).toEqual([])
  })

  test('an unknown option changes nothing', async () => {
    await aHost()
    const { code, stderr } = await run({ args: ['--remvoe'] })
    expect([code, changes()]).toEqual([1, []])
    expect(stderr).toContain('only options')
  })

  test('a code that is refused: the reason is shown before anything is changed', async () => {
    await aHost()
    far.check = { status: 403, body: refusalBody('This setup code has expired. \\"Make\\" a new one.') }
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('This setup code has expired.')
    expect(changes()).toEqual([])
  })

  test.each([
    { answer: { status: 409, body: refusalBody('Already watched.') }, says: 'Already watched.' },
    { answer: { status: 502, body: '<html>Bad gateway</html>' }, says: 'HTTP status 502' },
    { answer: { status: 302, body: '' }, says: 'HTTP status 302' },
  ])(
    'a registration answered with $answer.status: the values to type are shown, and it fails',
    async ({ answer, says }) => {
      await aHost()
      far.register = answer
      const { code, stdout, stderr } = await run()
      expect(code).toBe(1)
      expect(stderr).toContain(says)
      for (const value of [
        'https://192.0.2.10:8006',
        tokenId(),
        host.accounts.tokens.get(tokenId())!,
        fingerprint,
      ]) {
        expect(stdout).toContain(value)
      }
    },
  )

  test('Pulse cannot be reached: nothing is changed', async () => {
    await aHost()
    const { code, stderr } = await host.bash(['-c', aScript({ pulseUrl: 'http://127.0.0.1:1' })], {
      env: { PULSE_SETUP_CODE: aCode },
    })
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be reached')
    expect(changes()).toEqual([])
  })

  const steps = [
    ['pveversion'],
    ['pvesh', 'get', '/cluster/status'],
    ['pvesh', 'get', '/nodes/pve1/certificates/info'],
    ['pveum', 'user', 'list'],
    ['pveum', 'user', 'add'],
    ['pveum', 'role', 'list'],
    ['pveum', 'role', 'add'],
    ['pveum', 'acl', 'modify', '/'],
    ['pveum', 'acl', 'modify', '/storage'],
    ['pveum', 'acl', 'list'],
    ['pveum', 'user', 'token', 'list'],
    ['pveum', 'user', 'token', 'add'],
  ]
  test.each(
    steps.flatMap((words) =>
      (['fails', 'lies'] as const).map((how) => ({ step: words.join(' '), words, how })),
    ),
  )(
    '$step $how: it stops, says so, and registers nothing; the run after a failure makes it good',
    async ({ step, words, how }) => {
      await aHost()
      host.spoil(words, how)
      const { code, stdout, stderr } = await run()
      const isHarmless = how === 'lies' && step === 'pveum user token list'
      expect(code, stdout).toBe(isHarmless ? 0 : 1)
      if (!isHarmless) expect(stderr).toMatch(/^Pulse: .{20}/m)
      expect(far.registered()).toHaveLength(isHarmless ? 1 : 0)
      if (how === 'lies') return
      host.mend()
      expect((await run()).code).toBe(0)
      expect(rights()).toHaveLength(3)
    },
  )

  test.each([
    ['pveum', 'user', 'token', 'remove'],
    ['pveum', 'acl', 'delete'],
    ['pveum', 'user', 'delete'],
    ['pveum', 'role', 'delete'],
    ['pveum', 'user', 'list'],
  ])('while removing, %s %s %s fails: it says so and does not claim to be done', async (...words) => {
    await aHost()
    await run()
    host.spoil(words.filter(Boolean), 'fails')
    const { code, stdout, stderr } = await run({ args: ['--remove'] })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Pulse: /m)
    expect(stdout).not.toContain('Everything that Pulse added was removed')
    host.mend()
    expect((await run({ args: ['--remove'] })).stdout).toContain('Everything that Pulse added was removed')
    expect([...host.accounts.users]).toEqual(['root@pam'])
  })
})

describe('[platform 16.28] a cluster', () => {
  const other = (n: number, online = true) => ({
    name: `pve${n}`,
    address: `192.0.2.${n}`,
    online,
    fingerprint: Array(32).fill(`C${n}`).join(':'),
  })

  test('the certificates of its members go along, except of those that are down', async () => {
    await aHost({ members: [other(2), other(3, false), other(4)] })
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toContain('on one node only')
    expect(far.registered()).toMatchObject([
      { serverName: 'pve1', fingerprint, clusterFingerprints: [other(2).fingerprint, other(4).fingerprint] },
    ])
  })

  test('a member whose certificate cannot be read does not stop it', async () => {
    await aHost({ members: [other(2)] })
    host.spoil(['pvesh', 'get', '/nodes/pve2/certificates/info'], 'fails')
    const { code, stdout } = await run()
    expect(code).toBe(0)
    expect(stdout).toContain('The certificate of pve2 could not be read')
  })
})

test('[S12] 1,000 hostile names of members: left out, nothing is executed, no file is made', async () => {
  const names = hostileTexts(1_000)
  for (let n = 0; n < names.length; n += 60) {
    const members = names
      .slice(n, n + 60)
      .map((name) => ({ name, address: '192.0.2.66', online: true, fingerprint }))
    await aHost({ members })
    const { code, stderr } = await run()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const asked = host.calls.filter(([command, , path]) => command === 'pvesh' && path !== '/cluster/status')
    expect(asked).toEqual([['pvesh', 'get', '/nodes/pve1/certificates/info', '--output-format', 'json']])
    expect(host.newFiles()).toEqual([])
    await host.close()
  }
  await aHost()
})

test('[S12] a host whose own name is hostile is refused before anything is changed', async () => {
  for (const name of harmful) {
    await aHost({ hostname: name })
    const { code, stderr } = await run()
    expect(code, name).toBe(1)
    expect(stderr, name).toContain('The name of this node cannot be read')
    expect(changes(), name).toEqual([])
    expect(host.newFiles(), name).toEqual([])
    await host.close()
  }
  await aHost()
})
