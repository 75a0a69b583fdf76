import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SourceError } from './source-error.ts'
import { freshMs } from './pve/age.ts'
import { SourceHealth } from './source-health.ts'
import { createSuspendDetector } from '../timing/suspend-detector.ts'

const silent = new SourceError('timeout', 'pve1: no answer')
const refused = new SourceError('unauthorized', 'pve1: credentials were not accepted')

function given() {
  const clock = fakeClock(0)
  const health = new SourceHealth({ clock, judged: clock.monotonic }, pino({ level: 'silent' }), {
    main: 'listing',
    rights: 'rights',
    isCluster: true,
  })
  const listed = () => {
    health.answered('listing', clock.now())
    health.listed(clock.now(), freshMs.listing)
  }
  return { clock, health, listed, state: (degraded = false) => health.verdict(degraded) }
}

test('before the first answer nothing is known; a failure then is an error', () => {
  const { health, state } = given()
  expect(state()).toEqual({ health: 'unknown' })
  health.failed('listing', silent)
  expect(state()).toEqual({ health: 'error', error: 'pve1: no answer' })
})

test('a process that was stopped doubts a first timeout only: what failed before, or was refused, is an error', async () => {
  const clock = fakeClock(0)
  const detector = createSuspendDetector(clock)
  const after = async (...failures: SourceError[]) => {
    const health = new SourceHealth(detector, pino({ level: 'silent' }), { main: 'listing' })
    for (const failure of failures) health.failed('listing', failure)
    detector.clock.after(1_000, () => {})
    clock.suspend(60_000)
    await clock.advance(1)
    return health.verdict().health
  }
  expect(await after(silent)).toBe('unknown')
  expect(await after(silent, silent)).toBe('error')
  expect(await after(refused)).toBe('error')
})

test('[facts 6.3.32] an error is shown at once, and cleared by the next success', () => {
  const { health, listed, state } = given()
  listed()
  health.failed('listing', silent)
  expect(state()).toEqual({ health: 'healthy', error: 'pve1: no answer' })
  listed()
  expect(state()).toEqual({ health: 'healthy' })
})

test('[R7] each listing is a promise of the next one, which is given once', () => {
  const { health, listed } = given()
  expect(health.takePromise()).toBeUndefined()
  listed()
  expect([health.takePromise(), health.takePromise()]).toEqual([15_000, undefined])
  health.answered('nodes', 5)
  expect(health.takePromise()).toBeUndefined()
})

test('what does not pass by itself is an error without waiting', () => {
  const { health, listed, state } = given()
  listed()
  health.failed('listing', refused)
  expect(state().health).toBe('error')
})

test('[facts 1.3] what refuses us is said so; a refused listing is none while another way is taken', () => {
  const { health, listed, state } = given()
  listed()
  health.failed('listing', refused)
  expect(state()).toMatchObject({ health: 'error', refused: true })
  health.failed('listing', new SourceError('forbidden', 'pve1: the account may not read /cluster/resources'))
  expect(state()).toEqual({
    health: 'healthy',
    error: 'pve1: the account may not read /cluster/resources',
  })
  expect(health.failsWithAnswers('listing')).toBe(true)
})

test('a part that fails alone is shown when it keeps failing, and does not change the health', () => {
  const { health, listed, state } = given()
  listed()
  health.failed('pve2 storage', silent)
  health.failed('pve2 storage', silent)
  expect(state()).toEqual({ health: 'healthy' })
  health.failed('pve2 storage', silent)
  expect(state()).toEqual({ health: 'healthy', error: 'pve1: no answer' })
  health.forget('pve2 storage')
  expect(state(true)).toEqual({ health: 'degraded' })
})

test.each([
  { when: 'once the listing has worked: when it fails twice', hasListed: true },
  { when: 'before it ever worked: at once', hasListed: false },
])('another way to the same knowledge is taken where something answers, $when', ({ hasListed }) => {
  const { health } = given()
  if (hasListed) health.listed(0, 10_000)
  const fails = (error: SourceError) => {
    health.forget('listing')
    health.failed('listing', error)
    const first = health.failsWithAnswers('listing')
    health.failed('listing', error)
    return [first, health.failsWithAnswers('listing')]
  }
  expect(fails(silent)).toEqual([!hasListed, true])
  expect(fails(refused)).toEqual([false, false])
  expect(fails(new SourceError('unreachable', ''))).toEqual([false, false])
  expect(fails(new SourceError('forbidden', ''))).toEqual([true, true])
})

test('once the source is back, what could not be reached before is no warning of it until it fails again', async () => {
  const { clock, health, listed, state } = given()
  listed()
  await clock.advance(20_000)
  for (let n = 0; n < 3; n++) health.failed('pve2 storage', silent)
  expect(state()).toMatchObject({ error: 'pve1: no answer' })
  await clock.advance(10_000)
  listed()
  expect(state()).toEqual({ health: 'healthy' })
  health.failed('pve2 storage', silent)
  expect(state()).toEqual({ health: 'healthy', error: 'pve1: no answer' })
})
