import { fakeClock } from '@pulse/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSchedule, mayInstallUnattended, nextTime } from './schedule.ts'

const HOUR = 3_600_000
// in this zone clocks go forward at 2:00 on 29 March 2026 and back at 3:00 on 25 October
beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'))
afterAll(() => void vi.unstubAllEnvs())

function given(start: string, changes: Partial<ReturnType<typeof usual>> = {}) {
  const clock = fakeClock(Date.parse(start))
  const settings = { ...usual(), ...changes }
  const looks: string[] = []
  const installs: string[] = []
  const faults: unknown[] = []
  const now = () => new Date(clock.now()).toISOString().slice(0, 16)
  const schedule = createSchedule({
    settings: () => settings,
    look: async () => void looks.push(now()),
    install: async () => void installs.push(now()),
    onFault: (error) => faults.push(error),
    clock,
  })
  return { clock, settings, looks, installs, faults, schedule }
}
const usual = () => ({ autoUpdateEnabled: true, autoUpdateCheckInterval: 24, autoUpdateTime: '03:00' })

describe('[facts/platform 12.5] automatic updates begin at their time of the server’s own day', () => {
  test('every day once', async () => {
    const { clock, schedule, installs } = given('2026-01-01T12:00:00+01:00')
    schedule.start()
    await clock.advance(3 * 24 * HOUR)
    expect(installs).toEqual(['2026-01-02T02:00', '2026-01-03T02:00', '2026-01-04T02:00'])
  })

  test('around midnight', async () => {
    const { clock, schedule, settings, installs } = given('2026-01-01T23:50:00+01:00', {
      autoUpdateTime: '00:00',
    })
    schedule.start()
    await clock.advance(HOUR)
    settings.autoUpdateTime = '23:59'
    schedule.changed()
    await clock.advance(24 * HOUR)
    expect(installs).toEqual(['2026-01-01T23:00', '2026-01-02T22:59'])
  })

  test('not while they are switched off', async () => {
    const { clock, schedule, settings, installs } = given('2026-01-01T12:00:00+01:00', {
      autoUpdateEnabled: false,
    })
    schedule.start()
    await clock.advance(24 * HOUR)
    expect(installs).toEqual([])
    settings.autoUpdateEnabled = true
    schedule.changed()
    await clock.advance(24 * HOUR)
    expect(installs).toEqual(['2026-01-03T02:00'])
  })

  test('at the new time from the moment it is set', async () => {
    const { clock, schedule, settings, installs } = given('2026-01-01T12:00:00+01:00')
    schedule.start()
    await clock.advance(5_000)
    settings.autoUpdateTime = '12:30'
    schedule.changed()
    await clock.advance(HOUR)
    expect(installs).toEqual(['2026-01-01T11:30'])
    // a time that has just passed means tomorrow
    settings.autoUpdateTime = '12:59'
    schedule.changed()
    await clock.advance(HOUR)
    expect(installs).toHaveLength(1)
  })

  test('not after it was slept through, and the next day again', async () => {
    const { clock, schedule, installs } = given('2026-01-01T12:00:00+01:00')
    schedule.start()
    await clock.advance(HOUR)
    clock.suspend(20 * HOUR)
    await clock.advance(12 * HOUR)
    expect(installs).toEqual([])
    await clock.advance(12 * HOUR)
    expect(installs).toEqual(['2026-01-03T02:00'])
  })

  test.each([
    ['forward', 5 * 365 * 24 * HOUR],
    ['back', -5 * 365 * 24 * HOUR],
  ])('a clock that is set right, %s by years, changes the day and not the time', async (_way, ms) => {
    const { clock, schedule, installs } = given('2026-01-01T12:00:00+01:00')
    schedule.start()
    await clock.advance(HOUR)
    clock.step(ms)
    await clock.advance(24 * HOUR)
    expect(installs).toHaveLength(1)
    expect(installs[0]).toMatch(/T02:00$/)
  })

  test('once on the days when the clock is changed', async () => {
    // 02:30 does not exist on the first day, and occurs twice on the second
    for (const [day, expected] of [
      ['2026-03-28T12:00:00+01:00', ['2026-03-29T01:30', '2026-03-30T00:30']],
      ['2026-10-24T12:00:00+02:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
    ] as const) {
      const { clock, schedule, installs } = given(day, { autoUpdateTime: '02:30' })
      schedule.start()
      await clock.advance(48 * HOUR)
      expect(installs).toEqual(expected)
    }
  })

  test('the next time is always ahead, and a day away at most', () => {
    for (
      let at = Date.parse('2026-01-01T00:00:00Z');
      at < Date.parse('2027-01-01T00:00:00Z');
      at += 4.7 * HOUR
    ) {
      for (const time of ['00:00', '02:30', '03:00', '23:59']) {
        const ahead = nextTime(time, at) - at
        expect(ahead, `${time} after ${new Date(at).toISOString()}`).toBeGreaterThan(0)
        expect(ahead).toBeLessThanOrEqual(25 * HOUR)
      }
    }
  })
})

describe('[spec 2 §9] it looks for releases every so many hours', () => {
  test('first when a minute has passed', async () => {
    const { clock, schedule, looks } = given('2026-01-01T12:00:00Z', { autoUpdateCheckInterval: 6 })
    schedule.start()
    await clock.advance(24 * HOUR)
    expect(looks).toEqual(['2026-01-01T12:01', '2026-01-01T18:01', '2026-01-02T00:01', '2026-01-02T06:01'])
  })

  test('a shorter interval counts from the last time', async () => {
    const { clock, schedule, settings, looks } = given('2026-01-01T12:00:00Z', {
      autoUpdateCheckInterval: 168,
    })
    schedule.start()
    await clock.advance(10 * HOUR)
    settings.autoUpdateCheckInterval = 12
    schedule.changed()
    await clock.advance(4 * HOUR)
    expect(looks).toEqual(['2026-01-01T12:01', '2026-01-02T00:01'])
  })

  test('not when there is none, and nothing after the end', async () => {
    const { clock, schedule, looks, installs } = given('2026-01-01T12:00:00Z', { autoUpdateCheckInterval: 0 })
    schedule.start()
    await clock.advance(10 * HOUR)
    expect(looks).toEqual([])
    schedule.stop()
    schedule.changed()
    await clock.advance(48 * HOUR)
    expect([looks, installs, clock.pending()]).toEqual([[], [], 0])
  })

  test('an error is reported, and it goes on', async () => {
    const clock = fakeClock()
    const faults: unknown[] = []
    const fails = () => Promise.reject(new Error('no'))
    const edges = {
      settings: usual,
      look: fails,
      install: fails,
      onFault: (error: unknown) => faults.push(error),
    }
    createSchedule({ ...edges, clock }).start()
    await clock.advance(48 * HOUR)
    expect(faults.length).toBe(4)
  })
})

describe('[facts/platform 12.5] unattended', () => {
  const failed = (version_to: string, code: string) => ({
    version_to,
    status: 'failed' as const,
    error: { code, message: '' },
  })
  test.each([
    ['a newer one is installed', '1.2.0', [], true],
    ['a new first number is not', '2.0.0', [], false],
    [
      'one that was taken back is not',
      '1.2.0',
      [{ version_to: '1.2.0', status: 'rolled_back' as const }],
      false,
    ],
    ...['health', 'checksum', 'signature', 'downgrade', 'platform'].map(
      (code) => [`one that failed by ${code} is not`, '1.2.0', [failed('1.2.0', code)], false] as const,
    ),
    ...['feed', 'space', 'interrupted', 'handover'].map(
      (code) =>
        [`one that failed by ${code} is tried again`, '1.2.0', [failed('1.2.0', code)], true] as const,
    ),
    ['what another did counts for nothing', '1.2.1', [failed('1.2.0', 'health')], true],
    [
      'one that succeeded before is installed',
      '1.2.0',
      [{ version_to: '1.2.0', status: 'success' as const }],
      true,
    ],
  ] as const)('%s', (_what, version, history, expected) =>
    expect(mayInstallUnattended(version, '1.0.0', history)).toBe(expected),
  )
})
