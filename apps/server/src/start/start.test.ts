import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectionStore } from '../db/connections.ts'
import { aStoredConnection } from '../testing/data-folder.ts'
import { runMain } from '../testing/run-main.ts'
import { readConfig } from './config.ts'
import { claimDataDir } from './data-dir.ts'
import { copyPath, openData } from './open-data.ts'

let dir: string

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-start-'))
})
afterEach(() => {
  fs.chmodSync(dir, 0o700)
  fs.rmSync(dir, { recursive: true })
})

async function storeOne() {
  const data = await openData(dir, undefined, Date.now())
  await connectionStore(data.db, data.vault).insert(aStoredConnection(), Date.now())
  await data.maintenance.renewCopy(copyPath(dir), Date.now())
  await data.maintenance.close()
}

async function stored() {
  const data = await openData(dir, undefined, Date.now())
  const names = (await connectionStore(data.db, data.vault).all()).map((c) => c.name)
  await data.maintenance.close()
  return { names, notices: data.notices }
}

describe('a start that cannot be right is refused, with the way to mend it', () => {
  test.each([
    { env: { FRONTEND_PORT: 'abc' }, says: /FRONTEND_PORT is "abc".*1 to 65535/s },
    { env: { FRONTEND_PORT: '70000' }, says: /not a port/ },
    {
      env: { PULSE_LISTEN_ADDRESS: 'here' },
      says: /PULSE_LISTEN_ADDRESS is "here", which is not an address/,
    },
    {
      env: { DISABLE_AUTH: 'true', PULSE_LISTEN_ADDRESS: '0.0.0.0' },
      says: /with DISABLE_AUTH Pulse must not be reachable.*127\.0\.0\.1/s,
    },
    { env: { DISABLE_AUTH: 'maybe' }, says: /DISABLE_AUTH is "maybe".*true or false/s },
    { env: { PULSE_AUTH_USER: 'admin' }, says: /PULSE_AUTH_USER is set, but PULSE_AUTH_PASS is not/ },
    { env: { PULSE_AUTH_PASS: 'secret-word' }, says: /PULSE_AUTH_PASS is set, but PULSE_AUTH_USER is not/ },
    { env: { API_TOKENS: 'x' }, says: /API_TOKENS contains an invalid token.*16 characters/s },
    { env: { API_TOKENS: 'sha3:1234' }, says: /API_TOKENS contains/ },
    { env: { OIDC_ENABLED: 'perhaps' }, says: /OIDC_ENABLED/ },
    { env: { HTTPS_ENABLED: 'true' }, says: /The HTTPS settings are incomplete/ },
    { env: { TLS_CERT_FILE: '/x', TLS_KEY_FILE: '/y' }, says: /The HTTPS settings are incomplete/ },
    {
      env: { HTTPS_ENABLED: 'true', TLS_CERT_FILE: '/nowhere.pem', TLS_KEY_FILE: '/nowhere.key' },
      says: /HTTPS cannot be set up with \/nowhere\.pem/,
    },
    { env: { PULSE_PUBLIC_URL: 'pulse.lan' }, says: /PULSE_PUBLIC_URL is "pulse\.lan"/ },
    { env: { PULSE_TRUSTED_PROXIES: '10.0.0.0/33' }, says: /PULSE_TRUSTED_PROXIES: "10\.0\.0\.0\/33"/ },
    { env: { ALLOWED_ORIGINS: 'evil' }, says: /ALLOWED_ORIGINS holds "evil"/ },
    { env: { LOG_LEVEL: 'loud' }, says: /LOG_LEVEL is "loud"/ },
    { env: { LOG_FORMAT: 'xml' }, says: /LOG_FORMAT is "xml"/ },
    { env: { PULSE_UPDATE_SERVER: 'github' }, says: /PULSE_UPDATE_SERVER is not the URL.*api\.github\.com/s },
    { env: { PULSE_UPDATE_SERVER: 'file:///etc' }, says: /PULSE_UPDATE_SERVER is not the URL/ },
    { env: { PULSE_UPDATE_SERVER: 'https://a:b@c.lan/' }, says: /PULSE_UPDATE_SERVER.*without a user name/s },
  ])('$env', ({ env, says }) => {
    expect(() => readConfig(env as NodeJS.ProcessEnv, { dataDir: dir, tty: false })).toThrow(says)
  })

  test('[R22] a second process on the same data names the first', () => {
    const first = claimDataDir(dir)
    expect(() => claimDataDir(dir)).toThrow(
      new RegExp(`in use by another Pulse \\(process ${process.pid}\\)`),
    )
    first.release()
    claimDataDir(dir).release()
  })

  test('[R22] a lock whose owner was killed does not block', async () => {
    const script = `import('${new URL('./data-dir.ts', import.meta.url).href}').then(({ claimDataDir }) => {
      claimDataDir(${JSON.stringify(dir)}); process.kill(process.pid, 'SIGKILL') })`
    const child = spawn(process.execPath, ['-e', script])
    await new Promise((resolve) => child.on('exit', resolve))
    expect(fs.existsSync(path.join(dir, 'pulse.pid'))).toBe(true)
    claimDataDir(dir).release()
  })

  test('[R13] on data that an update is being taken back from', () => {
    const mark = path.join(dir, 'update/restoring')
    fs.mkdirSync(path.dirname(mark))
    fs.writeFileSync(mark, 'backup-1')
    expect(() => claimDataDir(dir)).toThrow(
      /being restored after a failed update.*systemctl start pulse-update/s,
    )
    expect(fs.readdirSync(dir)).toEqual(['update'])
    fs.rmSync(mark)
    claimDataDir(dir).release()
  })

  test('a data folder that cannot be made', () => {
    fs.writeFileSync(path.join(dir, 'file'), '')
    expect(() => claimDataDir(path.join(dir, 'file', 'data'))).toThrow(/cannot be written.*PULSE_DATA_DIR/s)
  })

  test('the port is in use: said at once, exit code 1', async () => {
    const blocker = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as net.AddressInfo
    const { code, output } = await runMain(dir, { env: { FRONTEND_PORT: String(port) } })
    blocker.close()
    expect(output).toMatch(new RegExp(`Port ${port} on 127.0.0.1 is already in use.*FRONTEND_PORT`, 's'))
    expect(code).toBe(1)
  })
})

describe('[R12] the encryption key', () => {
  test('is made once, for its owner alone', async () => {
    await storeOne()
    const file = path.join(dir, '.encryption.key')
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    const key = fs.readFileSync(file, 'utf8')
    await stored()
    expect(fs.readFileSync(file, 'utf8')).toBe(key)
  })

  test('no secret lies readable in the data folder', async () => {
    await storeOne()
    for (const name of fs.readdirSync(dir)) {
      expect(fs.readFileSync(path.join(dir, name)).includes('canary-secret'), name).toBe(false)
    }
  })

  test.each([
    { wrong: 'missing', spoil: (f: string) => fs.rmSync(f), says: /is missing.*Restore the key file/s },
    {
      wrong: 'another',
      spoil: (f: string) => fs.writeFileSync(f, Buffer.alloc(32, 7).toString('base64')),
      says: /is not the one.*PULSE_ENCRYPTION_KEY_FILE/s,
    },
    { wrong: 'cut short', spoil: (f: string) => fs.writeFileSync(f, 'AAAA'), says: /is damaged/ },
    { wrong: 'readable by others', spoil: (f: string) => fs.chmodSync(f, 0o644), says: /chmod 600/ },
  ])('$wrong: refuses to start, says how to mend it, changes nothing', async ({ spoil, says }) => {
    await storeOne()
    const file = path.join(dir, '.encryption.key')
    const key = fs.readFileSync(file)
    spoil(file)
    await expect(openData(dir, undefined, Date.now())).rejects.toThrow(says)
    fs.writeFileSync(file, key)
    fs.chmodSync(file, 0o600)
    expect(await stored()).toEqual({ names: ['lab'], notices: [] })
  })

  test('may lie elsewhere', async () => {
    const elsewhere = path.join(dir, 'elsewhere.key')
    const data = await openData(dir, elsewhere, Date.now())
    await data.maintenance.close()
    expect(fs.existsSync(elsewhere)).toBe(true)
    expect(fs.existsSync(path.join(dir, '.encryption.key'))).toBe(false)
  })
})

describe('[R11] a damaged database never blocks the start and is never deleted', () => {
  const spoilers: Record<string, (file: string) => void> = {
    'not a database': (file) => fs.writeFileSync(file, 'hello, this is not a database at all'.repeat(50)),
    'a zeroed middle': (file) => {
      const bytes = fs.readFileSync(file)
      bytes.fill(0, 4096, bytes.length - 100)
      fs.writeFileSync(file, bytes)
    },
    'cut in half': (file) => fs.truncateSync(file, fs.statSync(file).size / 2),
  }
  for (const [name, spoil] of Object.entries(spoilers)) {
    test(`${name}: kept aside, reported, and its copy takes over`, async () => {
      await storeOne()
      spoil(path.join(dir, 'pulse.db'))
      const { names, notices } = await stored()
      expect(names).toEqual(['lab'])
      expect(notices).toEqual([expect.stringMatching(/pulse\.db was damaged .* continues with its copy/)])
      expect(fs.readdirSync(dir).some((f) => f.startsWith('pulse.db.damaged-'))).toBe(true)
    })
  }

  test('without a copy it starts empty and says so', async () => {
    await storeOne()
    fs.rmSync(copyPath(dir))
    fs.writeFileSync(path.join(dir, 'pulse.db'), 'x'.repeat(10_000))
    const { names, notices } = await stored()
    expect(names).toEqual([])
    expect(notices[0]).toMatch(/starts with an empty configuration, locked until sign-in is set up/)
  })

  test('data of a newer version is refused', async () => {
    const data = await openData(dir, undefined, Date.now())
    await data.maintenance.run([
      { sql: "INSERT INTO schema_migrations VALUES ('9999-later.sql', 1)", parameters: [] },
    ])
    await data.maintenance.close()
    await expect(openData(dir, undefined, Date.now())).rejects.toThrow(/newer version/)
  })
})

test('[R14] SIGTERM ends a ready server cleanly, code 0', async () => {
  const { code, output } = await runMain(dir)
  expect(output).toContain('Pulse is ready at http://127.0.0.1:')
  expect(code).toBe(0)
})

test('[facts/platform 11] LOG_FILE has what the console has, to the last line before the end', async () => {
  const file = path.join(dir, 'logs', 'pulse.log')
  const { code } = await runMain(dir, { env: { LOG_FILE: file } })
  expect(code).toBe(0)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg).join('\n')).toContain(
    'Pulse is ready at',
  )
})

test('on SIGTERM the log says that Pulse stops, on the console and in LOG_FILE', async () => {
  const file = path.join(dir, 'pulse.log')
  const { code, output } = await runMain(dir, { env: { LOG_FILE: file } })
  expect(code).toBe(0)
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
  const ready = messages.findIndex((text) => text.startsWith('Pulse is ready at'))
  expect(messages.indexOf('Pulse stops')).toBeGreaterThan(ready)
  expect(messages.filter((text) => text === 'Pulse stops')).toHaveLength(1)
  expect(output).toContain('Pulse stops')
})

test('an uncaught error while the areas start ends nothing, and is logged', async () => {
  // Throws after the server has requested the port, before the start has finished.
  const fault = `import net from 'node:net'
    const listen = net.Server.prototype.listen
    net.Server.prototype.listen = function (...args) {
      process.nextTick(() => { throw new Error('fault while starting') })
      return listen.apply(this, args)
    }`
  const preload = `--import=data:text/javascript,${encodeURIComponent(fault)}`
  let status: unknown
  const { code, output } = await runMain(dir, {
    env: { NODE_OPTIONS: preload },
    onReady: async (url) => {
      status = ((await (await fetch(`${url}/api/health`)).json()) as { status: string }).status
    },
  })
  expect(output).toContain('fault while starting')
  expect(status).toBe('degraded')
  expect(code).toBe(0)
})
