import { aDockerContainer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { hourMs, T0 } from '../alerts/fixtures.ts'
import { play, recorded, tickMs } from './fixtures-back-test.ts'
import { playedRecord } from './played-records.ts'
import { absent } from './series.ts'

const record = playedRecord('dockerContainers', 'restartCount', aDockerContainer({ name: 'web' })) as never
const things = [{ field: 1, number: 0, key: 'dock1:web', record }]
const ticksPerHour = hourMs / tickMs

/** A container, by what its engine has counted at each tick. */
function played(counts: readonly number[], change: { rawFrom?: number; skips?: boolean } = {}) {
  const store = recorded(
    counts.map((count) => [count]),
    'count',
  )
  const to = T0 + counts.length * tickMs
  return play(store, { kind: 'dockerContainers', metric: 'restartCount', things, to, ...change })
}
const quiet = (hours: number, count: number) =>
  Array.from({ length: hours * ticksPerHour }, (): number => count)
const loop = [5, 6, 7, 8, 9, 10]

test.each([
  ['samples as polled', T0],
  ['minutes', Infinity],
])('[M 3.7] a restart loop after quiet hours, and across the hour: %s', (_, rawFrom) => {
  const counts = [...quiet(3, 4), ...loop, ...quiet(2, 10), ...loop.map((n) => n + 6), ...quiet(1, 16)]
  const result = played(counts, { rawFrom })
  expect(result).toMatchObject({ total: 2, things: 1, reaches: T0 })
  const { total, perDay, alerts } = played(counts, { rawFrom, skips: false })
  const startsOf = (all: typeof alerts) => all.map(({ started }) => started)
  expect({ ...result, alerts: startsOf(result.alerts) }).toMatchObject({
    total,
    perDay,
    alerts: startsOf(alerts),
  })
})

test.each([
  ['its host does not answer', absent.silent],
  ['Pulse is off', absent.skipped],
])('[M 3.7] restarts during hours in which %s count when they are known', (_, gap) => {
  const counts = [...quiet(2, 4), ...quiet(3, gap), ...quiet(2, 10)]
  for (const rawFrom of [T0, Infinity]) {
    expect(played(counts, { rawFrom, skips: false }).total).toBe(1)
    expect(played(counts, { rawFrom }).total).toBe(1)
  }
})

test('[M 3.7] a container that has been replaced within a minute was not restarted by that', () => {
  const counts = [...quiet(1, 0), 7, 7, 7, 0, 0, 0, ...quiet(1, 0)].map((n, at) =>
    n === 0 && at < ticksPerHour ? 7 : n,
  )
  expect(played(counts, { rawFrom: Infinity }).total).toBe(0)
  expect(played(counts).total).toBe(0)
})

test('[M 3.7] a container that never restarts is not played at all', () => {
  const store = recorded(
    quiet(2, 3).map((count) => [count]),
    'count',
  )
  const spy = {
    peaks: store.peaks.bind(store),
    samples: () => expect.unreachable('its samples are read'),
    buckets: () => expect.unreachable('its minutes are read'),
  }
  const to = T0 + 2 * hourMs
  const result = play(spy, { kind: 'dockerContainers', metric: 'restartWindow', things, to })
  expect(result).toMatchObject({ total: 0, reaches: T0 })
})
