import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { argon2id } from '../auth/password.ts'
import { addUser, login, signIn } from '../testing/people.ts'
import { runMain } from '../testing/run-main.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { exportCost } from '../transfer/envelope.ts'

describe('[S8] a first start', () => {
  let dir: string
  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-recover-'))
  })
  afterEach(() => fs.rmSync(dir, { recursive: true }))

  test('prints the one-time token on the console, past the log; a command prints it again', async () => {
    const first = await runMain(dir, { env: { LOG_FORMAT: 'json' } })
    expect(first.code).toBe(0)
    const token = fs.readFileSync(path.join(dir, '.bootstrap_token'), 'utf8').trim()
    const said = first.output.split('\n').filter((line) => line.includes(token))
    expect(said).toEqual([
      expect.stringMatching(/^Set up sign-in: open http:\/\/127\.0\.0\.1:\d+\/#setup=[0-9a-f]{32}$/),
      expect.stringMatching(/^or enter this one-time token there: [0-9a-f]{32}$/),
    ])
    expect(await runMain(dir, { args: ['bootstrap-token'] })).toEqual({ code: 0, output: `${token}\n` })
  })

  test('without a first run there is no such token, and an unknown command says what there is', async () => {
    expect(await runMain(dir, { args: ['bootstrap-token'] })).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no one-time setup token'),
    })
    expect(await runMain(dir, { args: ['reset-everything'] })).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no command "reset-everything".*reset-password/s),
    })
  })

  test.each(['--help', '-h', 'help'])('%s lists the commands and changes nothing', async (word) => {
    const { code, output } = await runMain(dir, { args: [word] })
    expect(code).toBe(0)
    for (const command of ['reset-password', '--create', 'bootstrap-token', 'config export', 'config import'])
      expect(output).toContain(command)
    expect(fs.readdirSync(dir)).toEqual([])
  })
})

/** The product's own hashing. The command is the product itself, and this server reads its hashes. */
const asTheProduct = { password: argon2id, exportCost }

describe('a lost password', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer(undefined, undefined, undefined, asTheProduct)
  })
  afterEach(() => server.stop())

  const passwordIn = (output: string) => /is now: (\S+)/.exec(output)![1]!

  test('is replaced on the machine itself; sessions and locks end, and the audit log tells', async () => {
    await addUser(server, 'anna', 'admin')
    const session = await signIn(server, 'anna')
    for (let n = 0; n < 5; n++) await login(server, 'anna', 'wrong')
    let result = { code: null as number | null, output: '' }
    await server.pausedFor(async () => {
      result = await runMain(server.dataDir, { args: ['reset-password', 'Anna'] })
    })
    expect(result.code).toBe(0)
    expect((await server.as(session)('GET', '/api/stats')).status).toBe(401)
    expect((await login(server, 'anna', passwordIn(result.output))).status).toBe(200)
    const { text } = await server.call('GET', '/api/security/audit?event=password_change')
    expect(text).toContain('"method":"console"')
  })

  test('a name that is not there is refused with the names that are; nothing is changed', async () => {
    await addUser(server, 'anna', 'admin')
    await addUser(server, 'ben', 'viewer')
    await server.pausedFor(async () => {
      for (const args of [['reset-password', 'anan'], ['reset-password'], ['reset-password', 'a', 'b']]) {
        expect(await runMain(server.dataDir, { args })).toMatchObject({ code: 1 })
      }
      const { output } = await runMain(server.dataDir, { args: ['reset-password', 'anan'] })
      expect(output).toMatch(/no account "anan".*anna, ben.*reset-password --create anan/s)
    })
    const { text } = await server.call('GET', '/api/security/users')
    expect(text).not.toContain('anan')
  })

  test('--create makes an administrator, and says so', async () => {
    let output = ''
    await server.pausedFor(async () => {
      ;({ output } = await runMain(server.dataDir, { args: ['reset-password', '--create', 'rescue'] }))
    })
    expect(output).toContain('The new administrator rescue')
    expect((await login(server, 'rescue', passwordIn(output))).status).toBe(200)
  })

  test('--create for an account that exists resets its password', async () => {
    await addUser(server, 'anna', 'viewer')
    let output = ''
    await server.pausedFor(async () => {
      ;({ output } = await runMain(server.dataDir, { args: ['reset-password', 'anna', '--create'] }))
    })
    expect(output).toContain('The password of the administrator anna is now')
  })

  test('is refused while the server runs, and for an account that the environment fixes', async () => {
    expect(await runMain(server.dataDir, { args: ['reset-password'] })).toMatchObject({
      code: 1,
      output: expect.stringContaining('in use by another Pulse'),
    })
    const env = { PULSE_AUTH_USER: 'root', PULSE_AUTH_PASS: 'from the environment' }
    await server.pausedFor(async () => {
      expect(await runMain(server.dataDir, { args: ['reset-password', 'root'], env })).toMatchObject({
        code: 1,
        output: expect.stringContaining('fixed by PULSE_AUTH_USER'),
      })
    })
  })
})
