import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import bcrypt from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { scale } from '../../auth/fixtures.ts'
import { readConfig } from '../config.ts'
import { readDeclared } from './read.ts'
import { StartupError } from '../../startup-error.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-declared-'))
  file = path.join(dir, 'pulse.yaml')
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const secret = 'canary-0123456789'
const hash = bcrypt.hashSync('correct horse', 4)

const good = `
settings:
  theme: dark
  allowedOrigins: HTTPS://Wall.Example/
  discoveryConfig:
    maxConcurrent: 8
nodes:
  - type: pve
    name: main
    host: 127.0.0.1
    tokenName: pulse-monitor@pam!pulse
    tokenValue: ${secret}
    monitorPhysicalDisks: true
  - type: pbs
    name: backup
    host: https://127.0.0.1:8007
    user: pulse-monitor@pbs
    passwordFile: backup.secret
    verifySSL: false
    site: Berlin
users:
  - { name: Ann, role: admin, passwordHash: '${hash}' }
  - { name: bob, role: viewer, passwordFile: bob.secret }
oidc:
  issuerUrl: https://id.example.test
  clientId: pulse
  clientSecretFile: oidc.secret
guestUrls:
  main-node1-101: https://wiki.example
`

function write(text: string | Buffer) {
  fs.writeFileSync(file, text)
  for (const name of ['backup', 'bob', 'oidc']) {
    fs.writeFileSync(path.join(dir, `${name}.secret`), `${secret}-${name}\n`)
  }
}

const read = (env: Record<string, string> = {}) => {
  const config = { PULSE_DATA_DIR: dir, ...env }
  return readConfig(config as NodeJS.ProcessEnv, { dataDir: dir, tty: false })
}

function refusal(text: string | Buffer): string {
  write(text)
  try {
    read()
  } catch (error) {
    if (error instanceof StartupError) return error.message.replaceAll(file, 'FILE').split('\n')[0]!
    throw error
  }
  throw new Error('the file was accepted')
}

describe('pulse.yaml', () => {
  test('says what the product is to be', () => {
    write(good)
    const { declared, settings, oidc } = read()
    const { nodes, users, guestUrls } = declared!
    expect(settings.values).toEqual({
      theme: 'dark',
      allowedOrigins: 'https://wall.example',
      discoveryConfig: { max_concurrent: 8 },
    })
    expect(Object.fromEntries(settings.by)).toEqual({
      theme: 'pulse.yaml',
      allowedOrigins: 'pulse.yaml',
      'discoveryConfig.max_concurrent': 'pulse.yaml',
    })
    expect(nodes.map(({ at, kind, name, host }) => [at, kind, name, host])).toEqual([
      ['nodes[0]', 'pve', 'main', 'https://127.0.0.1:8006'],
      ['nodes[1]', 'pbs', 'backup', 'https://127.0.0.1:8007'],
    ])
    expect(nodes[0]!.input()).toMatchObject({
      tokenValue: secret,
      monitorVMs: true,
      monitorPhysicalDisks: true,
      verifySSL: true,
      fingerprint: '',
      site: '',
    })
    expect(nodes[1]!.input()).toMatchObject({
      password: `${secret}-backup`,
      verifySSL: false,
      site: 'Berlin',
    })
    expect(users.map(({ name, role, password }) => [name, role, password.reveal()])).toEqual([
      ['Ann', 'admin', hash],
      ['bob', 'viewer', `${secret}-bob`],
    ])
    expect(oidc.values).toMatchObject({ enabled: true, clientId: 'pulse', clientSecret: `${secret}-oidc` })
    expect(oidc.overrides).toMatchObject({ issuerUrl: true, clientSecret: true })
    expect([...guestUrls]).toEqual([['main-node1-101', 'https://wiki.example']])
  })

  test('shows no secret of nodes and users when printed', () => {
    write(good)
    const { nodes, users } = read().declared!
    expect(inspect({ nodes, users }, { depth: 9 }) + JSON.stringify({ nodes, users })).not.toContain('canary')
  })

  test('is overridden by the environment', () => {
    write(good)
    const { settings, oidc } = read({ ALLOWED_ORIGINS: '*', OIDC_CLIENT_ID: 'other', LOG_LEVEL: 'warn' })
    expect(settings.values).toMatchObject({ theme: 'dark', allowedOrigins: '*', logLevel: 'warn' })
    expect(settings.by.get('allowedOrigins')).toBe('ALLOWED_ORIGINS')
    expect(oidc.values).toMatchObject({ clientId: 'other', issuerUrl: 'https://id.example.test' })
  })

  test('with secrets in it, readable by everybody, is a warning', () => {
    write(good)
    fs.chmodSync(file, 0o644)
    expect(read().access.warnings).toEqual([expect.stringMatching(/pulse\.yaml holds secrets.*chmod 600/)])
    fs.chmodSync(file, 0o600)
    expect(read().access.warnings).toEqual([])
    write('settings: { theme: dark }')
    fs.chmodSync(file, 0o644)
    expect(read().access.warnings).toEqual([])
  })

  test('asks for a restart when it changes', () => {
    const { environment } = read()
    expect(environment.isChanged()).toBe(false)
    write('settings: { theme: dark }')
    expect(environment.isChanged()).toBe(true)
  })

  test('need not be there, unless it is named', () => {
    expect(read().declared).toBeUndefined()
    const named = path.join(dir, 'other.yaml')
    expect(() => read({ PULSE_CONFIG_FILE: named })).toThrow(`${named}: The file cannot be read (ENOENT).`)
    fs.writeFileSync(named, 'settings: { theme: light }')
    expect(read({ PULSE_CONFIG_FILE: named }).settings.by.get('theme')).toBe('other.yaml')
  })

  test.each([
    '',
    '# nothing\n',
    '---\n',
    'settings:\nnodes:\nusers:\noidc:\nguestUrls:\n',
    '{}',
    'nodes: []',
  ])('%j declares nothing', (text) => {
    write(text)
    const { declared, settings, oidc } = read()
    expect(declared).toMatchObject({ nodes: [], users: [], oidc: {} })
    expect([settings.by.size, Object.keys(oidc.overrides)]).toEqual([0, []])
  })
})

const node = (rest: string) => `nodes:\n  - { type: pve, name: a, host: 127.0.0.1, ${rest} }`
const token = "tokenName: 'a@pam!b', tokenValue: canary"

describe('a wrong file stops the start, with the place', () => {
  test.each([
    ['a: [1', 'FILE: Line 1, column 6 is not valid YAML (BAD_INDENT).'],
    ['settings: {}\nsettings: {}', 'FILE: Line 2, column 1 is not valid YAML (DUPLICATE_KEY).'],
    ['settings: !canary x', 'FILE: Line 1, column 11 is not valid YAML (TAG_RESOLVE_FAILED).'],
    ['settings: *canary', 'FILE: An alias (*) in it has no anchor (&), or there are too many.'],
    ['a: 1\n---\nb: 2', 'FILE: Line 2, column 1 is not valid YAML (MULTIPLE_DOCS).'],
    ['- canary', 'FILE: Must be an object.'],
    ['canary', 'FILE: Must be an object.'],
    ['surprise: canary', 'FILE: surprise: Unknown key.'],
    ['__proto__: {}', 'FILE: __proto__: Unknown key.'],
    ['"a key\\n": 1', 'FILE: ["a key\\n"]: Unknown key.'],
    ['settings: { theme: blue }', 'FILE: settings.theme: Must be one of "", "light", "dark".'],
    ['settings: { connectionTimeout: 0 }', 'FILE: settings.connectionTimeout: Must be at least 1.'],
    ['settings: { frontendPort: 80 }', 'FILE: settings.frontendPort: Unknown key.'],
    [
      'settings: { discoveryConfig: { max_concurrent: 0 } }',
      'FILE: settings.discoveryConfig.max_concurrent: Must be at least 1.',
    ],
    [
      'settings: { allowedOrigins: evil }',
      'FILE: settings.allowedOrigins: "evil" is not an origin. Use origins such as https://wall.example.com.',
    ],
    ['nodes: {}', 'FILE: nodes: Must be a list.'],
    ['nodes: [{ type: pve }]', 'FILE: nodes[0].name: This field is required.'],
    [node(`${token}, extra: canary`), 'FILE: nodes[0].extra: Unknown key.'],
    [
      `${node(token)}\n  - { type: vm, name: b, host: h }`,
      'FILE: nodes[1].type: Must be one of "pve", "pbs", "pmg".',
    ],
    [
      `${node(token)}\n  - { type: pve, name: b, host: 'http://canary', ${token} }`,
      'FILE: nodes[1].host: The address must begin with https://, because a password is sent to it.',
    ],
    [
      `${node(token)}\n  - { type: pve, name: b, host: 'https://root:canary@ b', ${token} }`,
      'FILE: nodes[1].host: "…" is not an address. Use a form like https://192.0.2.10:8006',
    ],
    [node('user: root'), 'FILE: nodes[0]: Username and password are required'],
    [node("tokenName: 'a@pam!b'"), 'FILE: nodes[0]: Token ID and token value are required'],
    [
      node('tokenName: b, tokenValue: canary'),
      'FILE: nodes[0].tokenName: Token ID must have the form user@realm!tokenname',
    ],
    [node(`${token}, user: root, password: canary`), 'FILE: nodes[0]: Give a password or a token, not both.'],
    [
      node('user: root, password: canary, passwordFile: bob.secret'),
      'FILE: nodes[0].password: Give the secret or the name of its file, not both.',
    ],
    [
      node(`${token}, monitorQueues: true`),
      'FILE: nodes[0].monitorQueues: A node of type pve has no such switch.',
    ],
    [
      node(`${token}, temperatures: { '-oProxyCommand=x': true }`),
      'FILE: nodes[0].temperatures["-oProxyCommand=x"]: This is not a valid node name.',
    ],
    [
      node(`${token}, temperatures: { pve1: 65536 }`),
      'FILE: nodes[0].temperatures.pve1: Must be at most 65535.',
    ],
    [
      node(`${token}, temperatures: { pve1: true }`).replace('type: pve', 'type: pbs'),
      'FILE: nodes[0].temperatures: A node of type pbs has no temperatures.',
    ],
    [
      node(`${token}, fingerprint: canary`),
      'FILE: nodes[0].fingerprint: The fingerprint must be the SHA-256 one: 64 hexadecimal digits, with or without colons.',
    ],
    [
      `${node(token)}\n  - { type: pbs, name: A, host: b, ${token} }`,
      'FILE: nodes[1].name: nodes[0] has the same name.',
    ],
    [
      `${node(token)}\n  - { type: pve, name: b, host: 'https://127.0.0.1:8006/#v1', ${token} }`,
      'FILE: nodes[1].host: nodes[0] has the same host.',
    ],
    ['users: [{ name: a, role: admin }]', 'FILE: users[0]: Give passwordHash or passwordFile.'],
    [
      'users: [{ name: a, role: admin, passwordHash: canary-plain }]',
      'FILE: users[0].passwordHash: Give a bcrypt hash, or an argon2id hash as Pulse makes them.',
    ],
    [
      'users: [{ name: a, role: root, passwordFile: bob.secret }]',
      'FILE: users[0].role: Must be one of "admin", "viewer".',
    ],
    [
      'users: [{ name: a, role: admin, passwordFile: bob.secret }, { name: A, role: viewer, passwordFile: bob.secret }]',
      'FILE: users[1].name: users[0] has the same name.',
    ],
    ['oidc: { clientId: pulse }', 'FILE: oidc.issuerUrl: The issuer URL is required.'],
    ['oidc: { clearClientSecret: true }', 'FILE: oidc.clearClientSecret: Unknown key.'],
    ['guestUrls: { "a b": evil }', 'FILE: guestUrls["a b"]: URL must start with http:// or https://.'],
  ])('%j', (text, message) => {
    const said = refusal(text)
    expect(said).toBe(message)
    expect(said).not.toContain('canary')
  })

  test('an account that the environment fixes too', () => {
    write(`users: [{ name: ADMIN, role: viewer, passwordFile: bob.secret }]`)
    const env = { PULSE_AUTH_USER: 'admin', PULSE_AUTH_PASS: 'correct horse' }
    expect(() => read(env)).toThrow('users[0].name: This account is fixed by PULSE_AUTH_USER.')
  })

  test('aliases that would grow without end', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`)
    expect(refusal(`a0: &a0 [1]\n${levels.join('\n')}`)).toMatch(/too many/)
    expect(refusal('nodes: &x [*x]')).toMatch(/^FILE: /)
  })

  test('a text that is no text, and one that is too large', () => {
    expect(refusal(Buffer.from([0x61, 0xff, 0xfe]))).toMatch(/FILE: The file cannot be read \(ERR_ENCODING/)
    expect(refusal(`# ${'x'.repeat(1024 * 1024)}`)).toBe('FILE: The file cannot be read (larger than 1 MB).')
  })

  test('a folder in its place', () => {
    fs.mkdirSync(file)
    expect(() => read()).toThrow('cannot be read (EISDIR)')
  })
})

describe('[S16] secrets in files of their own', () => {
  const withFile = 'users: [{ name: a, role: admin, passwordFile: own.secret }]'
  const own = () => path.join(dir, 'own.secret')

  test('a line end after it does not belong to it, everything else does', () => {
    write(withFile)
    for (const [text, password] of [
      ['correct horse', 'correct horse'],
      ['correct horse\n', 'correct horse'],
      ['correct horse\r\n', 'correct horse'],
      [' correct horse \n\n', ' correct horse \n'],
    ] as const) {
      fs.writeFileSync(own(), text)
      expect(read().declared!.users[0]!.password.reveal()).toBe(password)
    }
  })

  test.each([
    ['missing', () => {}, /cannot be read \(ENOENT\)/],
    ['a folder', () => fs.mkdirSync(own()), /cannot be read \(EISDIR\)/],
    ['empty', () => fs.writeFileSync(own(), '\n'), /is empty/],
    ['too short', () => fs.writeFileSync(own(), 'short\n'), /at least 8 characters/],
    ['huge', () => fs.writeFileSync(own(), 'x'.repeat(9000)), /larger than a secret can be/],
  ])('%s', (_how, make, says) => {
    make()
    const said = refusal(withFile)
    expect(said).toMatch(/^FILE: users\[0\]\.passwordFile: /)
    expect(said).toMatch(says)
  })
})

test('[reliability 3] files with broken bytes are refused whole or read whole, and quote no secret', () => {
  const seed = Number(process.env['PULSE_TEST_SEED'] ?? Date.now() % 100_000)
  console.log(`seed ${seed}`)
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
  const outcomes = { refused: 0, read: 0 }
  for (let n = 0; n < 200 * scale; n++) {
    const bytes = Buffer.from(good)
    const at = next(bytes.length)
    const length = 1 + next(8)
    const kind = next(4)
    const noise =
      kind === 3 ? Buffer.from(good).subarray(next(bytes.length)).subarray(0, 20) : randomBytes(length)
    const mutated =
      kind === 0
        ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        : kind === 1
          ? bytes.subarray(0, at)
          : Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)])
    write(mutated)
    try {
      readDeclared({}, dir)
      outcomes.read++
    } catch (error) {
      expect(error, mutated.toString()).toBeInstanceOf(StartupError)
      expect(String(error)).not.toContain(secret)
      outcomes.refused++
    }
  }
  console.log(outcomes)
  expect(outcomes.refused).toBeGreaterThan(0)
})
