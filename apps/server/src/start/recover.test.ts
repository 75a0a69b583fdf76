import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addUser, login, signIn } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Runs the product with these arguments until it ends, or is ready and told to stop. */
function run(args: string[], dataDir: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: {
      PATH: process.env['PATH'],
      PULSE_DATA_DIR: dataDir,
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      FRONTEND_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)))
  child.on('message', () => child.kill('SIGTERM'))
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output })),
  )
}

describe('[S8] a first start', () => {
  let dir: string
  beforeEach(() => {
    dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-recover-'))
  })
  afterEach(() => fs.rmSync(dir, { recursive: true }))

  test('prints the one-time token on the console, past the log; a command prints it again', async () => {
    const first = await run([], dir, { LOG_FORMAT: 'json' })
    expect(first.code).toBe(0)
    const token = fs.readFileSync(path.join(dir, '.bootstrap_token'), 'utf8').trim()
    const said = first.output.split('\n').filter((line) => line.includes(token))
    expect(said).toEqual([
      expect.stringMatching(/^Set up sign-in: open http:\/\/127\.0\.0\.1:\d+\/#setup=[0-9a-f]{32}$/),
      expect.stringMatching(/^or enter this one-time token there: [0-9a-f]{32}$/),
    ])
    expect(await run(['bootstrap-token'], dir)).toEqual({ code: 0, output: `${token}\n` })
  })

  test('without a first run there is no such token, and an unknown command says what there is', async () => {
    expect(await run(['bootstrap-token'], dir)).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no one-time setup token'),
    })
    expect(await run(['reset-everything'], dir)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/no command "reset-everything".*reset-password/s),
    })
  })
})

describe('a lost password', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.stop())

  const passwordIn = (output: string) => /is now: (\S+)/.exec(output)![1]!

  test('is replaced on the machine itself; sessions and locks end, and the audit log tells', async () => {
    await addUser(server, 'anna', 'admin')
    const session = await signIn(server, 'anna')
    for (let n = 0; n < 5; n++) await login(server, 'anna', 'wrong')
    let result = { code: null as number | null, output: '' }
    await server.pausedFor(async () => {
      result = await run(['reset-password', 'Anna'], server.dataDir)
    })
    expect(result.code).toBe(0)
    expect((await server.as(session)('GET', '/api/stats')).status).toBe(401)
    expect((await login(server, 'anna', passwordIn(result.output))).status).toBe(200)
    const { text } = await server.call('GET', '/api/security/audit?event=password_change')
    expect(text).toContain('"method":"console"')
  })

  test('an administrator who does not exist yet is made', async () => {
    let output = ''
    await server.pausedFor(async () => {
      ;({ output } = await run(['reset-password', 'rescue'], server.dataDir))
    })
    expect((await login(server, 'rescue', passwordIn(output))).status).toBe(200)
  })

  test('is refused while the server runs, and for an account that the environment fixes', async () => {
    expect(await run(['reset-password'], server.dataDir)).toMatchObject({
      code: 1,
      output: expect.stringContaining('in use by another Pulse'),
    })
    const env = { PULSE_AUTH_USER: 'root', PULSE_AUTH_PASS: 'from the environment' }
    await server.pausedFor(async () => {
      expect(await run(['reset-password', 'root'], server.dataDir, env)).toMatchObject({
        code: 1,
        output: expect.stringContaining('fixed by PULSE_AUTH_USER'),
      })
    })
  })
})
