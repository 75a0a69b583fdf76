import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hourMs, settings, T0 } from '../alerts/fixtures.ts'
import { active, guestsNamed, play as playThings, recorded, type Tick, tickMs } from './fixtures-back-test.ts'
import { absent } from './series.ts'
import type { HistoryStore } from './store.ts'
import { minuteMs } from './tiers.ts'

const vmids = [100, 101, 102]
const things = guestsNamed(vmids)
const play = (
  store: Parameters<typeof playThings>[0],
  change: Omit<Parameters<typeof playThings>[1], 'things'>,
) => playThings(store, { things, ...change })

describe('[M 3.7] a back-test', () => {
  const level = fc.constantFrom(
    300,
    740,
    750,
    751,
    790,
    800,
    820,
    850,
    851,
    895,
    900,
    960,
    absent.silent,
    absent.stopped,
    absent.skipped,
  )
  const stretch = fc.record({
    values: fc.tuple(level, level, level),
    ticks: fc.integer({ min: 1, max: 40 }),
    jitter: fc.boolean(),
  })

  test('that leaves out what cannot matter gives what one gives that judges every sample', () => {
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 5, maxLength: 60 }), fc.nat(3), (stretches, rawHours) => {
        const ticks = stretches.flatMap(({ values, ticks: length, jitter }) =>
          Array.from({ length }, (_, n): Tick => (jitter && n % 2 === 1 ? values.toReversed() : values)),
        )
        const store = recorded(ticks)
        const to = T0 + ticks.length * tickMs
        const flapping = { ...active.flapping, enabled: true, threshold: 3, window: 30, suppressionTime: 20 }
        const config = settings({ activationState: 'active', flapping })
        const rawFrom = to - rawHours * hourMs
        const request = { to, rawFrom: Math.floor(rawFrom / hourMs) * hourMs, config }
        expect(play(store, request)).toEqual(play(store, { ...request, skips: false }))
      }),
    )
  })

  const quietAnd = (...loads: number[]) => recorded(loads.map((load): Tick => [load, 100, 100]))
  const hour = (load: number) => Array.from({ length: 360 }, () => load)

  test('counts per day of the schedule, for whom, how long, and how high', () => {
    const store = quietAnd(...hour(100), ...hour(900), ...hour(950), ...hour(100))
    const result = play(store, { to: T0 + 4 * hourMs })
    expect(result).toMatchObject({ total: 1, things: 1, from: T0, reaches: T0 })
    expect(result.totalMs).toBe(2 * hourMs)
    expect(result.perDay).toEqual([{ day: T0 - 12 * hourMs, count: 1 }])
    expect(result.top).toEqual([{ id: 'main:100', name: 'guest 100', count: 1, totalMs: 2 * hourMs }])
    expect(result.alerts).toEqual([
      {
        id: 'main:100',
        name: 'guest 100',
        level: 'critical',
        started: T0 + hourMs,
        ended: T0 + 3 * hourMs,
        peak: 95,
      },
    ])
  })

  test('counts the messages that the schedule would have sent', () => {
    const store = quietAnd(...hour(100), ...hour(850), ...hour(100))
    const sent = (schedule: Partial<typeof active.schedule>) =>
      play(store, {
        to: T0 + 4 * hourMs,
        config: settings({ activationState: 'active', schedule: { ...active.schedule, ...schedule } }),
      }).messages
    expect(sent({ cooldown: 0, notifyOnResolve: false })).toBe(1)
    expect(sent({ cooldown: 0, notifyOnResolve: true })).toBe(2)
    const grouping = { ...active.schedule.grouping, enabled: false }
    expect(sent({ cooldown: 15, notifyOnResolve: false, maxAlertsHour: 0, grouping })).toBe(4)
  })

  test('uses the override of a resource, and none whose threshold is off', () => {
    const store = recorded(hour(850).map((load): Tick => [load, load, load]))
    const overrides = {
      'guest:main:100': { cpu: { trigger: 90, clear: 80 } },
      'guest:main:101': { disabled: true },
    }
    const { top } = play(store, { to: T0 + hourMs, config: settings({ overrides }) })
    expect(top.map(({ id }) => id)).toEqual(['main:102'])
    const off = { ...active.guestDefaults, cpu: { trigger: 0, clear: 0 } }
    expect(play(store, { to: T0 + hourMs, config: settings({ guestDefaults: off }) }).total).toBe(0)
  })

  test('has no end for an alert that lasts until the end', () => {
    const { alerts, totalMs } = play(quietAnd(...hour(900)), { to: T0 + hourMs })
    expect(alerts[0]!.ended).toBeUndefined()
    expect(totalMs).toBe(hourMs)
  })

  test('reads only the hours that matter', () => {
    const store = quietAnd(...hour(100), ...hour(900), ...hour(100), ...hour(100), ...hour(100))
    const read: number[] = []
    const spy = {
      peaks: store.peaks.bind(store),
      buckets: store.buckets.bind(store),
      samples(...[field, numbers, from, to]: Parameters<HistoryStore['samples']>) {
        read.push(...numbers.map((number) => number * 100 + (from - T0) / hourMs))
        return store.samples(field, numbers, from, to)
      },
    }
    play(spy as HistoryStore, { to: T0 + 5 * hourMs })
    expect(read).toEqual([1, 2])
  })

  test('of minutes fires when a load lasts to the end of its minute and for the delay', () => {
    const minute = (...loads: number[]) => loads
    const spike = minute(100, 100, 990, 100, 100, 100)
    const end = minute(100, 100, 100, 100, 990, 990)
    const minutes = (one: number[]) =>
      play(quietAnd(...one), { to: T0 + 10 * minuteMs, rawFrom: Infinity }).total
    expect(minutes([...spike, ...spike])).toBe(0)
    expect(minutes(end)).toBe(1)
  })
})
