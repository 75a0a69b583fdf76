import { spawnSync } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownProduct, readArguments } from '../bench/arguments.ts'
import { aCheckout, type Checkout } from './fixtures.ts'

const lab = {
  clusters: [{ name: 'main', nodes: [{ url: 'https://127.0.0.1:1', fingerprint: 'AA' }] }],
  credentials: { tokenId: 'root@pam!lab', tokenSecret: 'secret' },
  pbs: [
    {
      name: 'pbs1',
      url: 'https://127.0.0.1:2',
      fingerprint: 'BB',
      credentials: { tokenId: 't', tokenSecret: 's' },
    },
  ],
  pmg: [
    {
      name: 'pmg1',
      url: 'https://127.0.0.1:3',
      fingerprint: 'CC',
      credentials: { auditor: { user: 'a@pmg', password: 'p' } },
    },
  ],
  docker: [
    { name: 'dock1', agentId: 'A' },
    { name: 'dock2', agentId: 'B' },
  ],
}

let checkout: Checkout
let asked: { method: string; url: string; token: string; body: Record<string, unknown> }[]
let refusal: string | undefined
let server: http.Server
let url: string

/** One connection and one container host exist already. */
const answers: Record<string, unknown> = {
  '/api/config/nodes': [{ id: 'pbs-1', type: 'pbs', name: 'pbs1' }],
  '/api/state': { dockerHosts: [{ id: 'host-a', agentId: 'A' }] },
  '/api/version': { version: '7.7.7' },
  '/api/diagnostics/docker/prepare-token': { token: 'again' },
  '/api/security/tokens': { token: 'new' },
}

/** Answers like the server for connections and container hosts, and like the lab for its estate. */
beforeEach(async () => {
  checkout = aCheckout()
  asked = []
  refusal = undefined
  server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url: where = '', headers } = request
    const text = Buffer.concat(parts).toString()
    if (where !== '/api/health') {
      asked.push({
        method,
        url: where,
        token: String(headers['x-api-token']),
        body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
      })
    }
    response.statusCode = refusal ? 400 : 200
    response.end(JSON.stringify(refusal ? { error: refusal } : (answers[where] ?? {})))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  checkout.remove()
})

const playing = () => ({
  STUB_LAB: JSON.stringify({ ...lab, controlUrl: url }),
  STUB_URL: url,
  FRONTEND_PORT: new URL(url).port,
})
const setUp = () => asked.filter(({ url: where }) => where !== '/docker')
const startedWith = (part: string) =>
  checkout.started().find(({ args }) => args.some((arg) => arg.endsWith(part)))!

describe('npm run demo', () => {
  test.each([['--node', '5'], ['--guests'], ['7']])(
    'refuses %s, shows what there is, and starts nothing',
    async (...args) => {
      const { code, stderr } = await checkout.run('demo.mjs', args)
      expect(code).toBe(2)
      expect(stderr).toContain('npm run demo -- --nodes 5 --guests 75 --seed 1 --port 7655')
      expect(checkout.started()).toEqual([])
    },
  )

  test.each(['--help', '-h'])('answers %s with what it takes, and starts nothing', async (flag) => {
    const { code, stdout, stderr } = await checkout.run('demo.mjs', [flag])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('npm run demo -- --nodes 5 --guests 75 --seed 1 --port 7655')
    expect(checkout.started()).toEqual([])
  })

  test('starts the lab and the product on loopback, connects them, prints the sign-in, and ends both', async () => {
    const { child, said, ended } = checkout.begin(
      'demo.mjs',
      ['--nodes', '2', '--guests', '9', '--port', '7700'],
      playing(),
    )
    await expect.poll(said).toContain('Change the estate')
    expect(startedWith('lab/src/main.ts').args.slice(1)).toEqual(
      [
        '--json --nodes 2 --guests 9 --seed 1 --pbs 2 --pmg 2 --pmg-cluster --ceph --docker 3',
        '--play failing-disk --play degraded-pool --play verification-fails --play queue-grows --control 7701',
      ].flatMap((flags) => flags.split(' ')),
    )
    const { env } = startedWith('dist/main.js')
    expect(env).toMatchObject({
      FRONTEND_PORT: '7700',
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
      PULSE_AUTH_USER: 'admin',
    })
    expect(env['PULSE_DATA_DIR']).toContain('pulse-demo-')
    expect(said()).toContain(`Sign in as admin, password ${env['PULSE_AUTH_PASS']}`)
    expect(new Set(setUp().map(({ token }) => token))).toEqual(new Set([env['API_TOKENS']]))
    expect(setUp().map(({ method, url: where, body }) => [method, where, body['type']])).toEqual([
      ['GET', '/api/config/nodes', undefined],
      ['POST', '/api/config/nodes', 'pve'],
      ['PUT', '/api/config/nodes/pbs-1', 'pbs'],
      ['POST', '/api/config/nodes', 'pmg'],
      ['POST', '/api/alerts/activate', undefined],
      ['GET', '/api/state', undefined],
      ['GET', '/api/version', undefined],
      ['POST', '/api/diagnostics/docker/prepare-token', undefined],
      ['POST', '/api/security/tokens', undefined],
    ])
    expect(asked.at(-1)).toMatchObject({
      url: '/docker',
      body: { url, version: '7.7.7', tokens: { dock1: 'again', dock2: 'new' } },
    })
    expect(asked[1]!.body).toEqual({
      type: 'pve',
      name: 'main',
      host: 'https://127.0.0.1:1',
      fingerprint: 'AA',
      tokenName: 'root@pam!lab',
      tokenValue: 'secret',
      monitorPhysicalDisks: true,
    })
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('a given account is used and its password is not printed', async () => {
    const account = { PULSE_AUTH_USER: 'anna', PULSE_AUTH_PASS: 'canary horse' }
    const { child, said, ended } = checkout.begin('demo.mjs', [], { ...playing(), ...account })
    await expect.poll(said).toContain('Change the estate')
    expect(startedWith('dist/main.js').env).toMatchObject(account)
    expect(said()).toContain('Sign in as anna, with your password')
    expect(said()).not.toContain('canary')
    child.kill('SIGTERM')
    await ended
  })

  test('[facts/platform 7.3] with DEMO_MODE everything is set up before the server becomes read-only', async () => {
    const { child, said, ended } = checkout.begin('demo.mjs', [], { ...playing(), DEMO_MODE: 'true' })
    await expect.poll(said).toContain('Change the estate')
    const servers = checkout.started().filter(({ args }) => args.some((arg) => arg.endsWith('dist/main.js')))
    expect(servers.map(({ env }) => env['DEMO_MODE'])).toEqual(['false', 'true'])
    expect(new Set(servers.map(({ env }) => env['PULSE_DATA_DIR'])).size).toBe(1)
    expect(setUp().length).toBeGreaterThan(0)
    expect(said()).toContain('Visitors are signed in as viewers')
    expect(said()).not.toContain('Sign in')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('a server that refuses a connection: everything ends, with the reason', async () => {
    refusal = 'Nothing works today'
    // the script ends only after the lab and the server have ended
    const { code, stderr } = await checkout.run('demo.mjs', [], playing())
    expect(stderr).toContain('GET /api/config/nodes: Nothing works today')
    expect(code).toBe(1)
  })
})

describe('npm run dev', () => {
  test('starts lab, server and vite, connects them, and ends all three', async () => {
    const { child, said, ended } = checkout.begin('dev.mjs', [], playing())
    await expect.poll(said).toContain(`Lab control: ${url}`)
    expect(said()).toContain('Sign in as admin, password pulse-dev')
    await expect.poll(() => startedWith('apps/server/src/main.ts')).toBeDefined()
    expect(startedWith('apps/server/src/main.ts').args[0]).toBe('--watch')
    expect(startedWith('apps/server/src/main.ts').env).toMatchObject({
      PULSE_DEV: 'true',
      PULSE_LISTEN_ADDRESS: '127.0.0.1',
    })
    await expect.poll(() => startedWith('apps/web')).toBeDefined()
    expect(asked).toHaveLength(9)
    child.kill('SIGTERM')
    await ended
  })
})

describe('npm run bench', () => {
  test.each([
    [['--guests', 'many'], '--guests must be a whole number above 0, not "many"'],
    [['--guests', '0'], '--guests must be a whole number above 0, not "0"'],
    [['--standalone', '0.5'], '--standalone must be a whole number above 0, not "0.5"'],
    [['--agents', '0'], '--agents must be a whole number above 0, not "0"'],
    [['--alerts', 'all'], '--alerts must be a whole number above 0, not "all"'],
    [['--alert-history', '0'], '--alert-history must be a whole number above 0, not "0"'],
    [['--backups', 'few'], '--backups must be a whole number above 0, not "few"'],
    [['--product', '/nowhere'], '/nowhere has no apps/server/dist/main.js: run "npm run build" there first'],
    [['--before', '/nowhere'], '--before: there is neither a checkout nor a file of figures at /nowhere'],
    [['--gests', '75'], "Unknown option '--gests'"],
  ])('refuses %j', (args, says) => {
    expect(() => readArguments(args)).toThrow(says)
  })

  test('accepts its options', () => {
    expect(readArguments([])).toMatchObject({
      product: ownProduct,
      document: false,
      disk: false,
      hashes: false,
    })
    const asked = [
      '--guests',
      '75',
      '--out',
      'figures.json',
      '--disk',
      '--hashes',
      '--document',
      '--backups',
      '50000',
      '--agents',
      '500',
      '--alert-history',
      '5000',
      '--alerts',
      '10000',
    ]
    expect(readArguments(asked)).toMatchObject({
      scenarios: [{ guests: 75 }],
      out: 'figures.json',
      disk: true,
      hashes: true,
      document: true,
      backups: 50_000,
      agents: 500,
      alerts: 10_000,
      alertHistory: 5_000,
    })
  })

  test('reports what it refuses, and measures nothing', () => {
    const main = path.join(import.meta.dirname, '../bench/main.ts')
    const { status, stderr, stdout } = spawnSync(process.execPath, [main, '--gests', '75'], {
      encoding: 'utf8',
    })
    expect(stderr).toContain("Unknown option '--gests'")
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  })

  test('gets its flags and the browser', async () => {
    const { code } = await checkout.run('bench.mjs', ['--guests', '75'], {
      CHROMIUM: process.execPath,
      STUB_CODE: '2',
    })
    expect(code).toBe(2)
    const { args, env } = checkout.started()[0]!
    expect(args).toEqual([path.join(checkout.root, 'bench/main.ts'), '--guests', '75'])
    expect(env['CHROMIUM']).toBe(process.execPath)
  })
})
