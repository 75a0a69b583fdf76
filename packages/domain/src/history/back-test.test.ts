import { aGuest } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anEngine, hourMs, settings, T0 } from '../alerts/fixtures.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { active, guestsNamed, play as playThings, recorded, type Tick, tickMs } from './fixtures-back-test.ts'
import { absent } from './series.ts'
import type { HistoryStore } from './store.ts'
import { dayMs, minuteMs } from './tiers.ts'

const vmids = [100, 101, 102]
const things = guestsNamed(vmids)
const play = (store: Parameters<typeof playThings>[0], change: Omit<Parameters<typeof playThings>[1], 'things'>) =>
  playThings(store, { things, ...change })

function randomNumbers(first: number) {
  let seed = first
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** Loads that wander around the threshold, with spikes, stops and silence of the source. */
function aWeek(ticks: number): Tick[] {
  const random = randomNumbers(7)
  const loads = [700, 780, 840]
  const stoppedFor = [0, 0, 0]
  let silentFor = 0
  return Array.from({ length: ticks }, () => {
    silentFor = silentFor > 0 ? silentFor - 1 : random() < 0.0005 ? Math.ceil(random() * 60) : 0
    return vmids.map((_, n) => {
      const drift = (random() - 0.5) * 60 + (760 - loads[n]!) * 0.02
      loads[n] = Math.round(Math.min(1_000, Math.max(0, loads[n]! + drift)))
      stoppedFor[n] = stoppedFor[n]! > 0 ? stoppedFor[n]! - 1 : random() < 0.0005 ? 30 : 0
      if (silentFor > 0) return absent.silent
      if (stoppedFor[n]! > 0) return absent.stopped
      return random() < 0.01 ? 990 : loads[n]!
    })
  })
}

/** The live engine polls the same figures. */
function driven(ticks: readonly Tick[], config = active): AlertChange[] {
  const live = anEngine(config)
  ticks.forEach((values, n) => {
    const isUnreachable = values[0] === absent.silent
    const guests = values.map((stored, index) =>
      aGuest({
        vmid: vmids[index]!,
        name: `guest ${vmids[index]}`,
        ...(stored === absent.stopped
          ? { status: 'stopped', cpu: 0 }
          : { cpu: isUnreachable ? 0.5 : stored / 1_000 }),
        ...(isUnreachable && { staleSince: T0 + n * tickMs }),
      }),
    )
    if (n > 0) live.pass(tickMs)
    if (isUnreachable) live.silence('main', { guests })
    else live.tell('main', { guests })
  })
  return live.said.filter(({ stored }) => stored.alert.type === 'cpu')
}

/** Every alert by episode: who, when it fired, when it ended. */
function alertsOf(changes: readonly AlertChange[]) {
  const byEpisode = new Map<string, { id: string; started: number; ended?: number }>()
  for (const { what, stored, at } of changes) {
    const { episode, record, alert } = stored
    if (what === 'raised') byEpisode.set(episode, { id: record, started: Date.parse(alert.startTime) })
    if (what === 'resolved') byEpisode.get(episode)!.ended = at
    if (what === 'reopened') delete byEpisode.get(episode)!.ended
  }
  return [...byEpisode.values()]
}

describe('[M 3.7] a back-test', () => {
  test('raises what the live engine raised over the same week, alert for alert', () => {
    const ticks = aWeek((7 * dayMs) / tickMs)
    const live = alertsOf(driven(ticks))
    expect(live.length).toBeGreaterThan(50)
    const to = T0 + ticks.length * tickMs
    const { alerts, total, totalMs } = play(recorded(ticks), { to })
    expect(total).toBe(live.length)
    expect(
      alerts.map(({ id, started, ended }) => ({ id, started, ...(ended !== undefined && { ended }) })),
    ).toEqual(live.slice(0, alerts.length))
    expect(totalMs).toBe(live.reduce((sum, { started, ended = to }) => sum + ended - started, 0))
  })

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
