import { type AlertConfig, type AnyRecord, figures, type Guest, kindOf } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { T0 } from '../alerts/fixtures.ts'
import { active, fileSystemOf, play, recorded, tickMs } from './fixtures-back-test.ts'
import { asIs, both, type LiveCase, liveCases } from './fixtures-live-cases.ts'
import { messagesOf } from './fixtures-live-messages.ts'
import { alertsOf, driven, type Loads, wanderingLoads } from './fixtures-live.ts'
import { playedRecord } from './played-records.ts'
import type { PlayedThing } from './played-thing.ts'
import { playedMetrics, playedThreshold } from './played-thresholds.ts'
import { precisionOf } from './precision.ts'
import { gapOf } from './sampler.ts'
import { absent, isSample } from './series.ts'
import { dayMs } from './tiers.ts'

function bothOf({ polled, metric, stoppedAs, sampleOf = asIs }: LiveCase, loads: Loads, config: AlertConfig) {
  const { kind, parts = 1 } = polled
  const thresholds = playedMetrics(metric).map((own) => playedThreshold(kind, own))
  const { unit } = thresholds[0]!
  const { toStored, fromStored } = precisionOf[unit]
  const ticks = loads.map((tick) => tick.map((load) => (isSample(load) ? toStored(sampleOf(load)) : load)))
  const keyOf = kindOf(kind).key as (record: AnyRecord) => string
  const things = ticks[0]!.map((_, number): PlayedThing => {
    const record = polled.record(
      Math.floor(number / parts),
      0,
      T0,
      Array.from({ length: parts }, () => 0),
    )
    const [key, played] = [keyOf(record), playedRecord(kind, metric, record) as never]
    const [own, ...others] = playedMetrics(metric)
    if (others.length > 0) {
      const part = [own!, ...others][number]!
      return { field: 1, number, key, metric: part, record: played }
    }
    return parts > 1
      ? fileSystemOf(number, key, record as Guest, number % parts)
      : { field: 1, number, key, record: played }
  })
  const live = driven(
    ticks,
    {
      ...polled,
      record(n, _, at, samples) {
        const own = samples.map((one) => (one === undefined ? undefined : fromStored(one)))
        return polled.record(n, own[0], at, own)
      },
    },
    config,
  ).filter(({ stored }) => thresholds.some(({ type }) => type === stored.alert.type))
  type Sampled = Parameters<typeof gapOf>[0]
  // What the history has of something that is stopped depends on what its source says about it.
  const { up } = figures[kind] as { up?: { read: NonNullable<Parameters<typeof gapOf>[1]> } }
  const sampled = ticks.map((tick) =>
    tick.map((one, n) =>
      one === absent.stopped
        ? (stoppedAs ?? gapOf(polled.record(n, undefined, T0, []) as Sampled, up?.read)!)
        : one,
    ),
  )
  const to = T0 + ticks.length * tickMs
  const neighbours = new Map(
    Object.values(polled.others ?? {}).flatMap((list) => list.map((one) => ['dock1', one] as const)),
  )
  const played = play(recorded(sampled, unit), { kind, metric, things, neighbours, to, config })
  return { live, played, to }
}

/** Counts and lengths by day and by thing, of all alerts and not only of the first 200. */
function countsOf(alerts: ReturnType<typeof alertsOf>, to: number) {
  const byThing = Map.groupBy(alerts, ({ id }) => id)
  const lengthOf = (list: typeof alerts) =>
    list.reduce((sum, { started, ended = to }) => sum + ended - started, 0)
  return {
    total: alerts.length,
    totalMs: lengthOf(alerts),
    things: byThing.size,
    top: new Map([...byThing].map(([id, list]) => [id, { count: list.length, totalMs: lengthOf(list) }])),
  }
}

function expectEqual({ live, played, to }: ReturnType<typeof bothOf>) {
  const wanted = alertsOf(live)
  const { alerts, perDay, total, totalMs, things, top } = played
  expect(
    alerts.map(({ id, started, ended }) => ({ id, started, ...(ended !== undefined && { ended }) })),
  ).toEqual(wanted.slice(0, alerts.length))
  expect({
    total,
    totalMs,
    things,
    top: new Map(top.map(({ id, count, totalMs: own }) => [id, { count, totalMs: own }])),
  }).toEqual(countsOf(wanted, to))
  expect(perDay).toEqual(
    perDay.map(({ day }, n) => ({
      day,
      count: wanted.filter(({ started }) => started >= day && started < (perDay[n + 1]?.day ?? Infinity))
        .length,
    })),
  )
}

describe('[M 3.7] a back-test of samples as polled', () => {
  test.each(Object.entries(liveCases))('counts what the live engine raised: %s', (_, one) => {
    const { things = 3, gaps = ['stop'], trigger = 80, polled } = one
    const loads = wanderingLoads(dayMs / tickMs, things, trigger, gaps, polled.parts)
    const result = bothOf(one, loads, active)
    expect(result.live.length).toBeGreaterThan(10)
    expectEqual(result)
  })

  test('counts the alerts of mail that was new when it was first seen, and waits', () => {
    const waiting = (minutes: number) => Array.from({ length: minutes * 6 }, (_, n) => [(n + 1) * 10])
    const empty = Array.from({ length: 60 }, () => [0])
    const loads = [20, 45, 90].flatMap((minutes) => [...waiting(minutes), ...empty])
    const one = { ...liveCases['age of the oldest mail']!, sampleOf: asIs }
    const { live, played } = bothOf(one, loads, active)
    expect([alertsOf(live).length, played.total]).toEqual([2, 2])
  })

  test('counts every alert of a week, not only the first 200', () => {
    const result = bothOf(liveCases['CPU of guests']!, wanderingLoads((7 * dayMs) / tickMs, 3, 80), active)
    expect(result.played.total).toBeGreaterThan(300)
    expect(result.played.alerts).toHaveLength(200)
    expectEqual(result)
  })

  const quietHours = {
    ...active.schedule.quietHours,
    enabled: true,
    start: '22:00',
    end: '08:00',
    timezone: 'UTC',
  }
  const alone = { ...active.schedule.grouping, enabled: false }
  test.each([
    ['the defaults', {}],
    ['quiet hours', { quietHours }],
    ['reminders and no limit', { cooldown: 15, maxAlertsHour: 0 }],
    ['one message for each', { grouping: alone, maxAlertsHour: 0, cooldown: 0 }],
    ['quiet hours without resolved messages', { quietHours, notifyOnResolve: false, grouping: alone }],
  ])('counts the messages that the live alerts would have made: %s', (_, change) => {
    const config = { ...active, schedule: { ...active.schedule, ...change } }
    const { live, played, to } = bothOf(
      liveCases['CPU of guests']!,
      wanderingLoads(dayMs / tickMs, 3, 80),
      config,
    )
    expect(played.messages).toBeGreaterThan(0)
    expect(played.messages).toBe(messagesOf(live, config, to))
  })

  test('counts the messages about file systems like those about their guests', () => {
    const one = liveCases['file systems of guests']!
    const loads = wanderingLoads(dayMs / tickMs, 4, 90, both, 2)
    const { live, played, to } = bothOf(one, loads, active)
    expect(played.messages).toBeGreaterThan(0)
    expect(played.messages).toBe(messagesOf(live, active, to))
  })
})
