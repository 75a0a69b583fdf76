import { afterEach, describe, expect, test } from 'vitest'
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts'

let host: Sandbox
afterEach(() => host.close())

async function aHost(given: Partial<SandboxOptions> = {}) {
  host = await openSandbox({ product: 'pve', version: '8.4.5', ...given })
}
const run = (command: string) => host.bash(['-c', command])

describe('a sandbox', () => {
  test('records the arguments of every command exactly as the shell passes them', async () => {
    await aHost()
    await run(`pveum 'two words' '' '$(id)' $'line\\nfeed' -- "'" é; pvesh`)
    expect(host.calls).toEqual([['pveum', 'two words', '', '$(id)', 'line\nfeed', '--', "'", 'é'], ['pvesh']])
  })

  test('passes on the output and exit code of a command', async () => {
    await aHost()
    expect(await run('pveversion')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('pve-manager/8.4.5/'),
    })
    expect(await run('pveum user add x')).toMatchObject({
      code: 255,
      stdout: '',
      stderr: expect.stringContaining('Parameter'),
    })
  })

  test('has no terminal, and only files that a command has made', async () => {
    await aHost()
    expect((await run('true </dev/tty')).code).toBe(1)
    expect(host.newFiles()).toEqual([])
    await run('touch made')
    expect(host.newFiles()).toEqual(['work/made'])
  })

  test('makes a command fail, or report a false success, until it is repaired', async () => {
    await aHost()
    host.spoil(['pveum', 'user', 'add'], 'fails')
    expect((await run('pveum user add a@pam')).code).toBe(1)
    host.spoil(['pveum', 'user', 'add'], 'lies')
    expect((await run('pveum user add a@pam')).code).toBe(0)
    expect(host.accounts.users.has('a@pam')).toBe(false)
    host.mend()
    await run('pveum user add a@pam')
    expect(host.accounts.users.has('a@pam')).toBe(true)
  })
})

describe('[proxmox 5] its commands', () => {
  test.each([
    ['7.4-16', 'VM.Monitor', 0],
    ['8.4.5', 'VM.Monitor', 0],
    ['9.0.10', 'VM.Monitor', 255],
    ['9.0.10', 'VM.GuestAgent.Audit', 0],
    ['8.4.5', 'VM.GuestAgent.Audit', 255],
  ])('pveum %s has the privilege %s or not', async (version, privilege, code) => {
    await aHost({ version })
    expect((await run(`pveum role add X --privs ${privilege}`)).code).toBe(code)
  })

  test('pveum shows the secret of a token once, as JSON', async () => {
    await aHost({ newSecret: () => 'secret' })
    await run('pveum user add a@pam')
    const { stdout } = await run('pveum user token add a@pam one --privsep 0 --output-format json')
    expect(JSON.parse(stdout)).toEqual({
      'full-tokenid': 'a@pam!one',
      info: { privsep: '0' },
      value: 'secret',
    })
    expect((await run('pveum user token add a@pam one')).code).toBe(255)
  })

  test('proxmox-backup-manager prints a word before the JSON of a new token', async () => {
    await aHost({ product: 'pbs', version: '3.2.7', newSecret: () => 'secret' })
    await run('proxmox-backup-manager user create a@pbs')
    const { stdout } = await run('proxmox-backup-manager user generate-token a@pbs x')
    expect(stdout).toMatch(/^Result: \{\n/)
    expect(JSON.parse(stdout.slice(8))).toEqual({ tokenid: 'a@pbs!x', value: 'secret' })
  })

  test.each(['pveum user list --colour', 'pveum guess', 'pvesh get /nowhere --output-format json'])(
    '%s is refused like every unknown option',
    async (command) => {
      await aHost()
      expect((await run(command)).code).not.toBe(0)
    },
  )
})
