import { expect, test } from 'vitest'
import { chartLines } from './chart-lines.ts'
import { memoryStorage } from './fixtures-storage.ts'
import { precisionOf } from './precision.ts'
import { absent } from './series.ts'
import { HistoryStore } from './store.ts'
import { dayMs, hourMs, minuteMs } from './tiers.ts'

const T0 = Date.UTC(2026, 0, 5)
const precision = precisionOf.percent
const field = 1
const things = [0, 33, 70]

/** A sample a minute from T0 on; thing 70 has no samples. Hours that are over at `now` are in blocks. */
function filled(now: number) {
  const store = new HistoryStore({ storage: memoryStorage(), precision: () => precision })
  for (let at = T0; at < now; at += minuteMs)
    store.append(at, [{ field, things: [0, 33], values: [valueAt(at), absent.silent] }])
  for (const _ of store.compact(now));
  return store
}
const valueAt = (at: number) => ((at - T0) / minuteMs) % 977

function lines(
  store: HistoryStore,
  tier: 'raw' | 'minute' | 'quarter' | 'day',
  from: number,
  to: number,
  most: number,
) {
  const work = chartLines(store.source, { tier, field, things, from, to, most, precision })
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

test('[M 2] a line has the samples as polled, of blocks and of the hour under way', () => {
  const [from, to] = [T0 + 90 * minuteMs, T0 + 150 * minuteMs]
  const [line, silent, unknown] = lines(filled(to), 'raw', from, to, 100)
  const wanted = Array.from({ length: 60 }, (_, n) => from + n * minuteMs)
  expect(line).toEqual(wanted.map((at) => ({ at, value: valueAt(at) / 100 })))
  expect([silent, unknown]).toEqual([[], []])
})

test('[M 2] more samples than points: the line keeps its first, its last and its peak', () => {
  const now = T0 + 3 * hourMs
  const store = filled(now)
  store.append(now, [{ field, things: [0], values: [9_999] }])
  store.append(now + minuteMs, [{ field, things: [0], values: [0] }])
  const [line] = lines(store, 'raw', T0, now + 2 * minuteMs, 20)
  expect(line).toHaveLength(20)
  expect([line!.at(0), line!.at(-1)]).toEqual([
    { at: T0, value: 0 },
    { at: now + minuteMs, value: 0 },
  ])
  expect(line).toContainEqual({ at: now, value: 99.99 })
})

test.each(['minute', 'quarter', 'day'] as const)(
  '[M 2] the periods of the tier %s have their largest sample, also today',
  (tier) => {
    const now = T0 + 2 * dayMs + 100 * minuteMs
    const [line] = lines(filled(now), tier, T0, now, 50)
    const widthMs = line![1]!.at - line![0]!.at
    for (const { at, value } of line!) {
      const minutes = Array.from({ length: widthMs / minuteMs }, (_, n) => at + n * minuteMs)
      expect(value).toBe(Math.max(...minutes.filter((one) => one >= T0 && one < now).map(valueAt)) / 100)
    }
    expect(line!.at(-1)!.at).toBeGreaterThanOrEqual(now - widthMs)
    expect(line!.length).toBeLessThanOrEqual(51)
  },
)
