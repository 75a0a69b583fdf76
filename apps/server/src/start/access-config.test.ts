import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { readAccessConfig } from './access-config.ts'
import { StartupError } from '../startup-error.ts'

const refusal = (env: Record<string, string>): StartupError => {
  try {
    readAccessConfig(env)
  } catch (error) {
    if (error instanceof StartupError) return error
    throw error
  }
  throw new Error(`${JSON.stringify(env)} was accepted`)
}

test('[design] with nothing set there is no user, and everything is closed', () => {
  expect(readAccessConfig({})).toMatchObject({
    disabled: false,
    demo: false,
    user: undefined,
    tokens: [],
    proxy: undefined,
    trustedProxies: { size: 0 },
    trustedNetworks: undefined,
    publicUrl: undefined,
    basePath: '',
    warnings: [],
  })
})

describe('[S6] a switch is on or off, or the start is refused', () => {
  const switches = ['DISABLE_AUTH', 'DEMO_MODE']
  const on = (env: Record<string, string>) => {
    const { disabled, demo } = readAccessConfig(env)
    return [disabled, demo]
  }

  test.each(['true', 'TRUE', '1', 'yes', 'on', ' true '])('"%s" switches on that one alone', (text) => {
    switches.forEach((name, i) => {
      expect(on({ [name]: text })).toEqual(switches.map((_, j) => i === j))
    })
  })

  test.each(['', ' ', 'false', 'False', '0', 'no', 'off'])('"%s" switches off', (text) => {
    for (const name of switches) expect(on({ [name]: text })).toEqual([false, false])
  })

  test.each(['maybe', 'tru', '2', 'true false', 'null'])('"%s" is refused', (text) => {
    for (const name of switches) {
      expect(refusal({ [name]: text }).message).toContain(`${name} is "${text}".`)
    }
  })
})

test('the demo mode says what it means at every start', () => {
  expect(readAccessConfig({ DEMO_MODE: 'true' }).warnings).toEqual([
    expect.stringMatching(/^Demo mode: every visitor is signed in as a viewer\./),
  ])
})

test('an invented estate is refused with the way to get one', () => {
  const { message } = refusal({ PULSE_MOCK_MODE: 'true' })
  expect(message).toContain('PULSE_MOCK_MODE was removed')
  expect(message).toContain('npm run demo')
  expect(readAccessConfig({ PULSE_MOCK_MODE: 'false', PULSE_MOCK_NODES: '3' }).demo).toBe(false)
})

describe('[facts/platform 11] the account of the environment', () => {
  test.each(['correct horse', ' leading and trailing ', 'with,comma', bcrypt.hashSync('x', 4)])(
    'its password "%s" is taken as it stands, and never printed',
    (password) => {
      const { user, warnings } = readAccessConfig({ PULSE_AUTH_USER: ' admin ', PULSE_AUTH_PASS: password })
      expect([user?.name, user?.password.reveal(), warnings]).toEqual(['admin', password, []])
      expect(JSON.stringify(user)).not.toContain(password)
    },
  )

  test('a short password is a warning', () => {
    const { warnings } = readAccessConfig({ PULSE_AUTH_USER: 'admin', PULSE_AUTH_PASS: 'short' })
    expect(warnings).toEqual([expect.stringMatching(/PULSE_AUTH_PASS is shorter than 8 characters/)])
  })

  test.each([
    { PULSE_AUTH_USER: 'admin' },
    { PULSE_AUTH_USER: 'admin', PULSE_AUTH_PASS: '' },
    { PULSE_AUTH_USER: '  ', PULSE_AUTH_PASS: 'correct horse' },
    { PULSE_AUTH_PASS: 'correct horse' },
  ])('[reliability 3] half of it is refused: %j', (env: Record<string, string>) => {
    const { message } = refusal(env)
    expect(message).toMatch(/is set, but .* is not/)
    expect(message).not.toContain('correct horse')
  })
})

describe('[facts/platform 4] API_TOKENS', () => {
  const reveal = (env: Record<string, string>) => readAccessConfig(env).tokens.map((token) => token.reveal())
  const [a, b] = ['token-a-0123456789', `sha3:${'0a'.repeat(32)}`]

  test.each([
    { env: { API_TOKENS: a }, tokens: [a] },
    { env: { API_TOKENS: ` ${a} , ,${b}, ` }, tokens: [a, b] },
    { env: { API_TOKEN: a }, tokens: [a] },
    { env: { API_TOKENS: b, API_TOKEN: a }, tokens: [b] },
    { env: { API_TOKENS: '' }, tokens: [] },
    { env: { API_TOKENS: 'F0'.repeat(32) }, tokens: [`sha3:${'f0'.repeat(32)}`] },
  ])('$env', ({ env, tokens }) => expect(reveal(env)).toEqual(tokens))

  test('64 hex digits are a hash, as Pulse 4.x writes it, and the start says so without repeating it', () => {
    const hash = 'f0'.repeat(32)
    const { warnings } = readAccessConfig({ API_TOKENS: `${a},${hash}` })
    expect(warnings).toEqual([expect.stringMatching(/^API_TOKENS holds 64 hex digits.*SHA3-256.*4\.x/)])
    expect(warnings.join()).not.toContain(hash)
    expect(readAccessConfig({ API_TOKENS: `${a},${b}` }).warnings).toEqual([])
  })

  test.each([
    'fifteen letters',
    `${a},fifteen letters`,
    'sha3: 0a',
    'sha3:0a',
    `sha3:${'g'.repeat(64)}`,
    `${b}00`,
    'SHA3:0a0a0a0a0a0a0a',
  ])('"%s" is refused, and not repeated in the message', (text) => {
    const { message } = refusal({ API_TOKENS: text })
    expect(message).toMatch(/^API_TOKENS contains an invalid token\.\nGive tokens of at least 16/)
    expect(message).not.toContain(text)
  })
})

describe('[S2] addresses', () => {
  const odd = [
    'null',
    'wall.example',
    '//wall.example',
    'https://',
    'https://*.example',
    'https://wall.example/path',
    'https://wall.example?x',
    'https://wall.example#x',
    'https://user@wall.example',
    'https://:secret@wall.example',
    'ftp://wall.example',
    'file:///etc',
    'javascript:alert(1)',
    'http://a http://b',
    'https://a;script-src',
  ]
  const oddPaths = ['https://wall.example/a b', 'https://wall.example/%41', 'https://wall.example/"']
  const oddHere = odd.filter((text) => text !== 'https://wall.example/path')
  test.each([...oddHere, ...oddPaths])('[reliability 3] PULSE_PUBLIC_URL "%s" is refused', (text) => {
    expect(refusal({ PULSE_PUBLIC_URL: text }).message).toContain('PULSE_PUBLIC_URL')
  })

  test.each([
    ['https://pulse.example', 'https://pulse.example'],
    [' http://pulse.lan:7655/ ', 'http://pulse.lan:7655'],
    ['https://wall.example/path', 'https://wall.example/path'],
    ['https://wall.example/a/b-1/', 'https://wall.example/a/b-1'],
    ['', undefined],
  ])('[facts/platform 7.5] PULSE_PUBLIC_URL "%s"', (text, expected) => {
    expect(readAccessConfig({ PULSE_PUBLIC_URL: text }).publicUrl).toBe(expected)
  })

  test.each(['PULSE_TRUSTED_PROXIES', 'PULSE_TRUSTED_NETWORKS'])('%s is a list of networks', (name) => {
    const { trustedProxies, trustedNetworks } = readAccessConfig({ [name]: '10.0.0.1, 192.0.2.0/24' })
    const list = name === 'PULSE_TRUSTED_PROXIES' ? trustedProxies : trustedNetworks
    expect([list?.has('192.0.2.200'), list?.has('10.0.0.2')]).toEqual([true, false])
    expect(refusal({ [name]: 'proxy.lan' }).message).toContain(`${name}: "proxy.lan"`)
  })
})

test('[design] DISABLE_AUTH says what it does', () => {
  expect(readAccessConfig({ DISABLE_AUTH: 'true' }).warnings).toEqual([
    'Authentication is switched off by DISABLE_AUTH. Pulse admits only this machine.',
  ])
})

test('[facts/platform 11] ALLOW_UNPROTECTED_EXPORT is refused with its reason, and the start goes on', () => {
  expect(readAccessConfig({ ALLOW_UNPROTECTED_EXPORT: 'true' }).warnings).toEqual([
    expect.stringContaining('ALLOW_UNPROTECTED_EXPORT has no effect'),
  ])
  expect(readAccessConfig({ ALLOW_UNPROTECTED_EXPORT: 'false' }).warnings).toEqual([])
})
