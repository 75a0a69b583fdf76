import { type Notice, Secret } from '@pulse/domain'
import { startAppriseSink, startWebhookSink } from '@pulse/lab'
import fc from 'fast-check'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../../../edges.ts'
import type { Resolve } from '../../../outbound/lookup.ts'
import { anAlert, aNotice, apprise, many, never, sendersFor, sendersWith } from '../fixtures.ts'
import { findApprise } from './run.ts'
import { appriseArguments, runApprise } from './run.ts'

/** Cases that are only checked: 1,000. Cases that run the program: 200, or 2,000 in the long run. */
const LOOKED_AT = 1_000
const RUNS = 200 * Number(process.env['PULSE_TEST_SCALE'] ?? 1)

let folder: string
const opened: { close(): Promise<void> }[] = []
const keep = <S extends { close(): Promise<void> }>(sink: S): S => {
  opened.push(sink)
  return sink
}
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-apprise-'))
})
afterEach(async () => {
  for (const sink of opened.splice(0)) await sink.close()
  fs.rmSync(folder, { recursive: true })
})

/** Creates a program named apprise that runs the script. */
function aProgram(script: string): string {
  const file = path.join(folder, 'apprise')
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}
const at = (name: string) => path.join(folder, name)
/** A program that stores its arguments, each ended by a zero byte. */
const keepsArguments = () => aProgram(`printf '%s\\0' "$@" >'${at('args')}'\nenv >'${at('env')}'`)
const given = () => fs.readFileSync(at('args'), 'utf8').split('\0').slice(0, -1)
const noNames: Resolve = (host, _options, done) => done(new Error(`ENOTFOUND ${host}`), [])
const sending = (program: string, settings = apprise(), notice: Notice = aNotice()) =>
  sendersFor({ env: { PULSE_APPRISE_PATH: program }, resolve: noNames }).apprise.send(settings, notice, never)
const reasonOf = (outcome: { delivered: boolean; reason?: string }) => outcome.reason ?? 'delivered'

describe('[S12] the program is run as it is meant', () => {
  test('title and body are option values, targets follow --, and our environment is not passed on', async () => {
    process.env['PULSE_CANARY'] = 'canary'
    try {
      const targets = ['discord://1234/canary', 'json://127.0.0.1:9/x']
      expect(await sending(keepsArguments(), apprise({ targets }))).toMatchObject({ delivered: true })
    } finally {
      delete process.env['PULSE_CANARY']
    }
    const [title, body, ...rest] = given()
    expect(title).toBe('--title=Critical: CPU on web-1')
    expect(body).toMatch(
      /^--body=Critical: CPU on web-1\n\nCPU of web-1 is at 93\.4%[^]*https:\/\/pulse\.example\.test/,
    )
    expect(rest).toEqual([
      '--notification-type=failure',
      '--input-format=text',
      '--',
      'discord://1234/canary',
      'json://127.0.0.1:9/x',
    ])
    const env = fs.readFileSync(at('env'), 'utf8')
    expect(env).not.toMatch(/canary|VITEST|NODE_|TEST_/i)
    expect(env).toContain('HOME=/nonexistent')
  })

  const hostile = fc.oneof(
    fc.constantFrom(
      '-h',
      '--help',
      '--config=/etc/passwd',
      '--plugin-path=/tmp',
      '-vvv',
      '--',
      '-',
      '',
      ' ',
      '$(touch x)',
      '`touch x`',
      '; touch x',
      '| touch x',
      '&& touch x',
      '> x',
      '\n--title=other',
      '\0',
      "'",
      '"',
      '\\',
      '*',
      '~',
      '${HOME}',
      '!!',
      '\u2028',
      '\ud800',
    ),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
  const scheme = fc.constantFrom(
    '',
    '-',
    '--',
    'json://',
    'discord://',
    'mailto://',
    'file://',
    'x',
    'json:',
    '://',
    'JSON://',
  )
  const target = fc.tuple(scheme, hostile).map(([start, rest]) => start + rest)
  const channels = sendersFor({ env: { PULSE_APPRISE_PATH: '/bin/true' } })
  const isAccepted = (one: string) => !('targets' in channels.apprise.problems(apprise({ targets: [one] })))

  test(`of ${LOOKED_AT} hostile targets none that could be an option, or is no address, is taken`, () => {
    let refused = 0
    fc.assert(
      fc.property(target, (one) => {
        if (!isAccepted(one)) return void refused++
        expect(one).toMatch(/^[a-z][a-z0-9+.-]*:\/\/[^\s\p{Cc}]*$/iu)
      }),
      { numRuns: LOOKED_AT },
    )
    expect(refused).toBeGreaterThan(LOOKED_AT / 4)
  })

  test(`${RUNS} runs with hostile names and targets: the arguments are exactly these, and no file is made`, async () => {
    const program = keepsArguments()
    const root = fs.readdirSync('/')
    await fc.assert(
      fc.asyncProperty(
        hostile,
        hostile,
        fc.array(target, { maxLength: 3 }),
        async (name, message, wanted) => {
          const targets = ['json://127.0.0.1:9/', ...wanted.filter(isAccepted)]
          const notice = aNotice({
            alerts: [{ alert: anAlert({ resourceName: name, message, node: name }) }],
          })
          expect(await sending(program, apprise({ targets }), notice)).toMatchObject({ delivered: true })
          const [title, body, ...rest] = given()
          expect([title!.slice(0, 8), body!.slice(0, 7)]).toEqual(['--title=', '--body='])
          expect(rest).toEqual([
            '--notification-type=failure',
            '--input-format=text',
            '--',
            ...targets.map((one) => Buffer.from(one).toString()),
          ])
          expect(fs.readdirSync(folder).toSorted()).toEqual(['apprise', 'args', 'env'])
        },
      ),
      { numRuns: RUNS },
    )
    expect(fs.readdirSync('/')).toEqual(root)
  })

  test('title and body never become options of their own', () => {
    const args = appriseArguments({ title: '-x', body: '--config=/etc/passwd\0', type: 'info' }, [])
    expect(args).toEqual([
      '--title=-x',
      '--body=--config=/etc/passwd ',
      '--notification-type=info',
      '--input-format=text',
      '--',
    ])
  })

  test('time is up: it ends with everything it has started', async () => {
    const program = aProgram(
      `sleep 1000 & echo $! >'${at('child')}'; echo $$ >'${at('own')}'; echo started; wait`,
    )
    const channels = sendersFor({ env: { PULSE_APPRISE_PATH: program } })
    const outcome = channels.apprise.send(apprise({ timeoutSeconds: 5 }), aNotice(), never)
    await expect.poll(() => fs.existsSync(at('own')) && fs.readFileSync(at('own'), 'utf8') !== '').toBe(true)
    await channels.clock.advance(5_000)
    expect(await outcome).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringContaining('did not finish within 5 s'),
    })
    for (const name of ['own', 'child'])
      await expect.poll(() => isRunning(fs.readFileSync(at(name), 'utf8'))).toBe(false)
  })

  test('its children are killed with it', async () => {
    const program = aProgram(`sleep 1000 & echo $! >'${at('child')}'; exit 0`)
    expect(await sending(program)).toMatchObject({ delivered: true })
    await expect.poll(() => isRunning(fs.readFileSync(at('child'), 'utf8'))).toBe(false)
  })

  test('an aborted signal ends it', async () => {
    const program = aProgram('sleep 1000')
    const ended = await runApprise(program, [], {
      clock: realClock,
      limitMs: 100_000,
      signal: AbortSignal.abort(),
    })
    expect(ended).toMatchObject({ code: undefined, gaveUp: true })
  })

  test('its output is cut, and shows no target', async () => {
    const program = aProgram('echo "$@"; yes x | head -c 300000; exit 1')
    const outcome = await sending(
      program,
      apprise({ targets: ['discord://1234567/canary-token', 'mailto://me:canarypass@mail.test'] }),
    )
    expect(outcome).toMatchObject({ delivered: false, retry: 'later' })
    expect(JSON.stringify(outcome)).not.toMatch(/canary|1234567/)
    expect(outcome.response!.length).toBeLessThanOrEqual(2000)
  })

  test('only the server names the program, by its absolute path', () => {
    expect(findApprise(at('none'))).toBeUndefined()
    expect(findApprise('apprise')).toBeUndefined()
    expect(findApprise(folder)).toBeUndefined()
    const program = aProgram('')
    expect(findApprise(program)).toBe(program)
    const { apprise: sender } = sendersFor({ env: { PULSE_APPRISE_PATH: at('none') } })
    expect(sender.problems(apprise({ cliPath: program }))['mode']).toMatch(
      /was not found.*PULSE_APPRISE_PATH/,
    )
    expect(sender.problems(apprise({ enabled: false, targets: [] }))).toEqual({})
  })
})

/** A child of a process that has ended stays listed, as a zombie, until it is reaped. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid.trim()}/status`, 'utf8'))
  } catch {
    return false
  }
}

test.each([
  ['json://169.254.169.254/', false],
  ['json://127.0.0.2/x', false],
  ['json://user:pass@127.0.0.2:8000/x', false],
  ['json://2130706434/', false],
  ['jsons://[::1]/', false],
  ['json://localhost:9/', false],
  ['json://127.0.0.1/x', true],
  ['json://10.0.0.5/x', true],
  ['tgram://123456789:AbCdEf/-100123', true],
  ['mailto://me:secret@example.org', true],
  ['discord://1234/token', true],
  ['discord://127.0.0.2/token', false],
])('[S11] target %s may be called: %s', (target, may) => {
  const { apprise: sender } = sendersFor({ env: { PULSE_APPRISE_PATH: '/bin/true' } })
  expect(!('targets' in sender.problems(apprise({ targets: [target] })))).toBe(may)
})

describe('an Apprise server', () => {
  const http = (origin: string, change = {}) => apprise({ mode: 'http', serverUrl: origin, ...change })
  const send = (settings: ReturnType<typeof apprise>, notice = aNotice()) =>
    sendersFor().apprise.send(settings, notice, never)

  test('gets the targets or the configuration key, and the API key in its header', async () => {
    const sink = keep(await startAppriseSink({ keys: ['ops'], apiKey: 'canary-key' }))
    const apiKey = new Secret('canary-key')
    expect(await send(http(`${sink.origin}/`, { apiKey, targets: ['json://a', 'json://b'] }))).toMatchObject({
      delivered: true,
      status: 200,
    })
    expect(
      await send(
        http(sink.origin, { apiKey, configKey: 'ops' }),
        aNotice({ kind: 'resolved', alerts: many(3) }),
      ),
    ).toMatchObject({ delivered: true })
    expect(sink.received().map(({ key, json }) => [key, json['urls'], json['type'], json['title']])).toEqual([
      ['', 'json://a,json://b', 'failure', 'Critical: CPU on web-1'],
      ['ops', undefined, 'success', '3 alerts resolved'],
    ])
  })

  test('reports problems by field', async () => {
    const sink = keep(await startAppriseSink({ keys: [], apiKey: 'right' }))
    expect(reasonOf(await send(http(sink.origin)))).toMatch(/did not accept the API key \(401\)/)
    const apiKey = new Secret('right')
    expect(await send(http(sink.origin, { apiKey, configKey: 'gone' }))).toMatchObject({
      delivered: false,
      retry: 'never',
      status: 204,
    })
    sink.behave({ kind: 'status', status: 424, body: 'json://canary-token/ failed' })
    const partly = await send(http(sink.origin, { apiKey, targets: ['json://canary-token/'] }))
    expect(partly).toMatchObject({ delivered: false, retry: 'later' })
    expect(JSON.stringify(partly)).not.toContain('canary')
    sink.behave({ kind: 'reset' })
    expect(reasonOf(await send(http(sink.origin, { apiKey })))).toMatch(
      /Check the address of the Apprise server/,
    )
  })

  test('needs an address that may be called, and something to notify', () => {
    const { apprise: sender } = sendersFor({ allowed: [] })
    expect(sender.problems(http('http://127.0.0.1:8000'))['serverUrl']).toMatch(/is this machine itself/)
    expect(sender.problems(http('http://user:secret@apprise.lan'))['serverUrl']).toMatch(
      /user name or password/,
    )
    expect(sender.problems(http('', { targets: [] }))).toEqual({
      serverUrl: expect.any(String),
      targets: expect.any(String),
    })
    expect(sender.problems(http('http://apprise.lan', { configKey: '../x' }))['configKey']).toBeDefined()
    expect(sender.problems(http('http://apprise.lan:8000', { configKey: 'ops', targets: [] }))).toEqual({})
  })
})

const real = findApprise(undefined)
describe.skipIf(!real)(`the program itself${real ? '' : ' (skipped: no apprise)'}`, () => {
  const senders = () => sendersWith({ clock: realClock })

  test('brings an alert with an awkward name to its target', async () => {
    const sink = keep(await startWebhookSink())
    const target = `json://${new URL(sink.origin).host}/any`
    const name = '--config=/etc/passwd "$(id)" é'
    const notice = aNotice({
      alerts: [{ alert: anAlert({ resourceName: name, message: `-v ${name}\n{{.Level}}` }) }],
    })
    expect(
      await senders().apprise.send(apprise({ targets: [target], timeoutSeconds: 60 }), notice, never),
    ).toMatchObject({ delivered: true })
    expect(sink.received()[0]!.json).toMatchObject({
      title: `Critical: CPU on ${name}`,
      message: expect.stringContaining(`-v ${name}`),
      type: 'failure',
    })
  })

  test('reports a target that cannot be reached', async () => {
    const sink = await startWebhookSink()
    await sink.close()
    const target = `json://${new URL(sink.origin).host}/canary-path`
    const outcome = await senders().apprise.send(
      apprise({ targets: [target], timeoutSeconds: 60 }),
      aNotice(),
      never,
    )
    expect(outcome).toMatchObject({
      delivered: false,
      retry: 'later',
      reason: expect.stringMatching(/could not notify every target/),
    })
    expect(JSON.stringify(outcome)).not.toContain('canary')
  })
})

describe('[S11] parameters of a target', () => {
  const problemOf = (target: string) =>
    sendersFor().apprise.problems(apprise({ mode: 'cli', targets: [target] }))['targets']

  test.each([
    ['mailto://me:secret@mail.lan?smtp=127.0.0.1', 'smtp'],
    ['slack://a/b/c?template=/etc/passwd', 'template'],
    ['discord://1/2?format=text&TEMPLATE=http://10.0.0.1/x', 'TEMPLATE'],
    ['fcm://project@key/?keyfile=/etc/shadow', 'keyfile'],
    ['ntfy://topic?attach=file:///etc/passwd', 'attach'],
    ['discord://1/2?+template=/etc/passwd', '+template'],
  ])('%s is refused: it names files or servers that no guard sees', (target, name) => {
    expect(problemOf(target)).toContain(`cannot have the parameter ${name}:`)
  })

  test.each([
    'discord://1/2?format=markdown&overflow=split&footer=no',
    'mailto://me:secret@mail.lan?to=ops@mail.lan&name=Pulse',
    'jsons://hook.lan/path?+X-Token=abc&:team=ops',
    'tgram://123456:abc/-100',
  ])('%s is taken', (target) => expect(problemOf(target)).toBeUndefined())
})

describe('[S11] the name of a host in a target', () => {
  const names: Record<string, string[]> = {
    'inside.example': ['127.0.0.1'],
    'metadata.example': ['169.254.169.254'],
    'both.example': ['192.0.2.10', '127.0.0.1'],
    'gotify.lan': ['10.0.0.7'],
  }
  const resolve: Resolve = (host, _options, done) => {
    const found = (names[host] ?? []).map((address) => ({ address, family: 4 }))
    done(found.length > 0 ? null : new Error(`ENOTFOUND ${host}`), found)
  }
  const sendTo = (target: string, allowed: readonly string[] = []) => {
    const env = { PULSE_APPRISE_PATH: keepsArguments() }
    return sendersWith({ clock: realClock, allowed, env, resolve }).apprise.send(
      apprise({ targets: [target] }),
      aNotice(),
      never,
    )
  }

  test.each(['inside.example', 'metadata.example', 'both.example'])(
    '%s leads where the guard lets nothing go: the program is not run',
    async (host) => {
      const outcome = await sendTo(`json://${host}:8080/hook`)
      expect(outcome).toMatchObject({ delivered: false, retry: 'never' })
      expect(reasonOf(outcome)).toMatch(/^A target of json:\/\/ cannot be called: /)
      expect(fs.existsSync(at('args'))).toBe(false)
    },
  )

  test.each([
    ['json://gotify.lan/hook', []],
    ['json://inside.example:8080/hook', ['inside.example:8080']],
    ['discord://1234/token', []],
    ['mailto://me:secret@unknown.example', []],
  ])('%s is called', async (target, allowed) =>
    expect(await sendTo(target, allowed)).toMatchObject({ delivered: true }),
  )
})
