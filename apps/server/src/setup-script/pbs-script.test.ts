import { openSandbox, type Sandbox, type SandboxOptions } from '@pulse/lab'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aCode, aFarEnd, aScript, type FarEnd, harmful, refusalBody } from './fixtures.ts'
import { tokenNameFor } from './values.ts'

const user = 'pulse-monitor@pbs'
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
  host = await openSandbox({ product: 'pbs', version: '3.2.7', fingerprint, hostname: 'pbs1', ...given })
}

const run = (args: readonly string[] = []) =>
  host.bash(
    ['-c', aScript({ type: 'pbs', host: 'https://192.0.2.20:8007', pulseUrl: far.url }), 'x', ...args],
    { env: { PULSE_SETUP_CODE: aCode } },
  )

const manager = 'proxmox-backup-manager'
const tokenId = () => `${user}!${tokenNameFor(far.url)}`
const rights = () => host.accounts.acl.map(({ path, role, who }) => `${who} ${role} ${path}`).toSorted()
const expected = () =>
  [user, tokenId()].flatMap((who) => [`${who} Audit /`, `${who} RemoteAudit /remote`]).toSorted()

describe.each(['2.4.7', '3.2.7', '4.0.14'])('[platform 10.3] Proxmox Backup Server %s', (version) => {
  test('user and token may both read, and the host is registered with its certificate', async () => {
    await aHost({ version })
    const { code, stdout, stderr } = await run()
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(rights()).toEqual(expected())
    const tokenValue = host.accounts.tokens.get(tokenId())!
    expect(far.registered()).toEqual([
      {
        type: 'pbs',
        host: 'https://192.0.2.20:8007',
        serverName: 'pbs1',
        tokenId: tokenId(),
        tokenValue,
        setupCode: aCode,
        fingerprint: fingerprint.toLowerCase(),
      },
    ])
    expect(stdout).not.toContain(tokenValue)
    expect(host.newFiles()).toEqual([])
  })

  test('a second run replaces the token and leaves everything else as it is', async () => {
    await aHost({ version })
    await run()
    const before = host.accounts.tokens.get(tokenId())
    expect((await run()).code).toBe(0)
    expect(rights()).toEqual(expected())
    expect([...host.accounts.tokens.keys()]).toEqual([tokenId()])
    expect(host.accounts.tokens.get(tokenId())).not.toBe(before)
  })

  test('--remove takes everything back, twice without harm', async () => {
    await aHost({ version })
    await run()
    for (const _ of [1, 2]) {
      const { code, stderr } = await run(['--remove'])
      expect(stderr).toBe('')
      expect(code).toBe(0)
      expect([...host.accounts.users]).toEqual(['root@pam'])
      expect(host.accounts.tokens.size).toBe(0)
      expect(rights()).toEqual([])
    }
  })
})

describe('[platform 10.3] what stands in the way', () => {
  test('another server that watches the same host keeps its token, and the account', async () => {
    await aHost()
    await run()
    host.accounts.tokens.set(`${user}!pulse-other`, 'x')
    expect((await run(['--remove'])).stdout).toContain('other tokens')
    expect([...host.accounts.tokens.keys()]).toEqual([`${user}!pulse-other`])
    expect(rights()).toEqual([`${user} Audit /`, `${user} RemoteAudit /remote`])
  })

  test.each([
    { when: 'not as root', given: { userId: 1000 }, says: 'must run as root' },
    { when: 'on version 1', given: { version: '1.1.9' }, says: 'Proxmox Backup Server 1 is too old' },
    { when: 'on another product', given: { product: 'pve', version: '8.4.5' } as const, says: 'is missing' },
  ])('$when: nothing is asked of Pulse, and the reason is said', async ({ given, says }) => {
    await aHost(given)
    const { code, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain(says)
    expect(far.asked).toEqual([])
    expect(rights()).toEqual([])
  })

  test('a registration that is refused: the values to type are shown, and it fails', async () => {
    await aHost()
    far.register = { status: 400, body: refusalBody('Pulse cannot reach https://192.0.2.20:8007.') }
    const { code, stdout, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toContain('Pulse cannot reach')
    expect(stdout).toContain(host.accounts.tokens.get(tokenId())!)
  })

  const steps = [
    ['versions'],
    ['cert', 'info'],
    ['user', 'list'],
    ['user', 'create'],
    ['acl', 'update', '/', 'Audit'],
    ['acl', 'update', '/remote'],
    ['acl', 'list'],
    ['user', 'list-tokens'],
    ['user', 'generate-token'],
  ]
  test.each(
    steps.flatMap((words) =>
      (['fails', 'lies'] as const).map((how) => ({ step: words.join(' '), words, how })),
    ),
  )(
    '$step $how: it stops, says so, and registers nothing; the run after a failure makes it good',
    async (given) => {
      const { step, words, how } = given
      await aHost()
      host.spoil([manager, ...words], how)
      const { code, stderr } = await run()
      const isHarmless = how === 'lies' && step === 'user list-tokens'
      expect(code).toBe(isHarmless ? 0 : 1)
      if (!isHarmless) expect(stderr).toMatch(/^Pulse: .{20}/m)
      expect(far.registered()).toHaveLength(isHarmless ? 1 : 0)
      if (how === 'lies') return
      host.mend()
      expect((await run()).code).toBe(0)
      expect(rights()).toEqual(expected())
    },
  )

  test.each([['user delete-token'], ['acl update'], ['user remove'], ['user list']])(
    'while removing, %s fails: it says so and does not claim to be done',
    async (step) => {
      await aHost()
      await run()
      host.spoil([manager, ...step.split(' ')], 'fails')
      const { code, stdout, stderr } = await run(['--remove'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^Pulse: /m)
      expect(stdout).not.toContain('Everything that Pulse added was removed')
      host.mend()
      expect((await run(['--remove'])).stdout).toContain('Everything that Pulse added was removed')
    },
  )
})

test('[S12] a hostile host name is cut down to plain signs, nothing is executed, no file is made', async () => {
  for (const name of harmful.slice(0, 12)) {
    await aHost({ hostname: name })
    const { code, stderr } = await run()
    expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' })
    const [{ serverName }] = far.registered().slice(-1) as [{ serverName: string }]
    expect(serverName, name).toMatch(/^[0-9A-Za-z][0-9A-Za-z.-]{0,62}$/)
    expect(host.newFiles(), name).toEqual([])
    await host.close()
  }
  await aHost()
})
