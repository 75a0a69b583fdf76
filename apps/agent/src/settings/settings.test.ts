import { describe, expect, test } from 'vitest'
import { usage } from './flags.ts'
import { readSettings } from './settings.ts'

const token = 'tok-5ecret'
const one = (args: string[], env: Record<string, string> = {}) => readSettings(args, env)

describe('[facts 3.7] flags and variables', () => {
  test('a token is enough', () => {
    expect(one([], { PULSE_TOKEN: token })).toEqual({
      targets: [{ url: 'http://localhost:7655', token, insecure: false }],
      intervalMs: 30_000,
      hostname: undefined,
      agentId: undefined,
      autoUpdate: true,
      logLevel: 'info',
      only: undefined,
    })
  })

  test.each([
    [
      'flags',
      [
        '--url',
        'https://p.test/',
        '--token',
        token,
        '--interval=1m',
        '--hostname',
        'a',
        '--agent-id',
        'b',
        '--insecure',
        '--no-auto-update',
      ],
      {},
    ],
    [
      'flags with one dash',
      [
        '-url=https://p.test',
        '-token',
        token,
        '-interval',
        '60s',
        '-hostname',
        'a',
        '-agent-id',
        'b',
        '-insecure=true',
        '-no-auto-update',
      ],
      {},
    ],
    [
      'variables',
      [],
      {
        PULSE_URL: 'https://p.test',
        PULSE_TOKEN: token,
        PULSE_INTERVAL: '1m',
        PULSE_HOSTNAME: 'a',
        PULSE_AGENT_ID: 'b',
        PULSE_INSECURE_SKIP_VERIFY: 'true',
        PULSE_NO_AUTO_UPDATE: '1',
      },
    ],
    [
      'flags before variables',
      ['--url', 'https://p.test', '--interval', '1m', '--hostname', 'a', '--insecure'],
      {
        PULSE_URL: 'http://other.test',
        PULSE_TOKEN: token,
        PULSE_INTERVAL: '5m',
        PULSE_HOSTNAME: 'z',
        PULSE_AGENT_ID: 'b',
        PULSE_INSECURE_SKIP_VERIFY: 'false',
        PULSE_NO_AUTO_UPDATE: 'yes',
      },
    ],
  ])('by %s', (_how, args, env) => {
    expect(readSettings(args, env)).toMatchObject({
      targets: [{ url: 'https://p.test', token, insecure: true }],
      intervalMs: 60_000,
      hostname: 'a',
      agentId: 'b',
      autoUpdate: false,
    })
  })

  test('targets replace URL and token, each counts once, and flags replace the variable', () => {
    const targets = `http://a.test:7655|one; https://b.test|two|true\nhttp://a.test:7655/|one`
    const both = [
      { url: 'http://a.test:7655', token: 'one', insecure: false },
      { url: 'https://b.test', token: 'two', insecure: true },
    ]
    expect(
      one([], { PULSE_TARGETS: targets, PULSE_URL: 'http://c.test', PULSE_TOKEN: token }).targets,
    ).toEqual(both)
    const args = ['--target', 'http://d.test|three', '--target=http://e.test|four|insecure']
    expect(one(args, { PULSE_TARGETS: targets }).targets).toEqual([
      { url: 'http://d.test', token: 'three', insecure: false },
      { url: 'http://e.test', token: 'four', insecure: true },
    ])
  })

  test.each([
    ['1ms', 1_000],
    ['10h', 600_000],
  ])(
    'an interval of %s is %i ms: what is shorter burdens the host, what is longer is taken for dead',
    (interval, ms) => {
      expect(one(['--interval', interval], { PULSE_TOKEN: token }).intervalMs).toBe(ms)
    },
  )
})

test.each([
  ['no token', [], {}, /No token/],
  ['a target without a token', ['--target', 'http://a.test'], {}, /no token for http:\/\/a\.test/],
  ['no URL', ['--url', 'a.test:7655', '--token', token], {}, /http:\/\/ or https:\/\//],
  ['a URL with a password', ['--url', 'http://u:hush@a.test', '--token', token], {}, /remove it/],
  ['a token of two lines', ['--token', `${token}\nx`], {}, /invalid characters/],
  ['an interval in words', ['--interval', 'soon', '--token', token], {}, /30s/],
  [
    'a switch in words',
    [],
    { PULSE_TOKEN: token, PULSE_INSECURE_SKIP_VERIFY: 'maybe' },
    /PULSE_INSECURE_SKIP_VERIFY is neither/,
  ],
  ['an unknown flag', ['--tokn', token], {}, /--tokn is not known/],
  ['a value without a flag', [token], {}, /A word without a flag/],
  ['a flag without a value', ['--token'], {}, /--token requires a value/],
])('%s is reported without repeating a secret', (_what, args, env, message) => {
  const read = () => readSettings(args, env)
  expect(read).toThrow(message)
  try {
    read()
  } catch (error) {
    expect(String(error)).not.toMatch(/5ecret|hush/)
  }
})

test('the help names every flag with its variable', () => {
  expect(one(['--help']).only).toBe('help')
  for (const word of [
    '--url',
    'PULSE_URL',
    '--target',
    'PULSE_TARGETS',
    '--no-auto-update',
    'PULSE_NO_AUTO_UPDATE',
  ]) {
    expect(usage()).toContain(word)
  }
})
