import type { Notice } from '@pulse/domain'
import fc from 'fast-check'
import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../../edges.ts'
import type { Resolve } from '../../../outbound/lookup.ts'
import { anAlert, aNotice, apprise, never, sendersFor } from '../fixtures.ts'
import { aProgramFolder } from './fixtures-program.ts'
import { appriseArguments, findApprise, runApprise } from './run.ts'

/** Cases that are only checked: 1,000. Cases that run the program: 200, or 2,000 in the long run. */
const LOOKED_AT = 1_000
const RUNS = 200 * Number(process.env['PULSE_TEST_SCALE'] ?? 1)

const { now, at, aProgram, keepsArguments } = aProgramFolder()
const given = () => fs.readFileSync(at('args'), 'utf8').split('\0').slice(0, -1)
const noNames: Resolve = (host, _options, done) => done(new Error(`ENOTFOUND ${host}`), [])
const sending = (program: string, settings = apprise(), notice: Notice = aNotice()) =>
  sendersFor({ env: { PULSE_APPRISE_PATH: program }, resolve: noNames }).apprise.send(settings, notice, never)

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
          expect(fs.readdirSync(now.folder).toSorted()).toEqual(['apprise', 'args', 'env'])
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
    expect(findApprise(now.folder)).toBeUndefined()
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
