import { expect, test } from 'vitest'
import { readForecasts } from './forecast-reading.ts'
import { memoryStorage } from './fixtures-storage.ts'
import { precisionOf } from './precision.ts'
import { absent } from './series.ts'
import { HistoryStore } from './store.ts'
import { dayMs, hourMs, minuteMs } from './tiers.ts'

const T0 = Date.UTC(2026, 0, 5)
const precision = () => precisionOf.percent
const things = [0, 40, 3]
const [growing, still, silent] = things

/** Two weeks of samples every ten minutes, with a restart in between: one percent a day, none, and no answer. */
function twoWeeks() {
  const storage = memoryStorage()
  let store = new HistoryStore({ storage, precision })
  const end = T0 + 14 * dayMs + 9.5 * hourMs
  for (let at = T0; at <= end; at += 10 * minuteMs) {
    const percent = 50 + (at - T0) / dayMs
    store.append(at, [
      { field: 1, things: [growing!, still!], values: [percent, 70].map(precisionOf.percent.toStored) },
      { field: 1, things: [silent!], values: [absent.silent] },
    ])
    if ((at - T0) % hourMs === 0) for (const _ of store.compact(at));
    if (at === T0 + 9 * dayMs) {
      store.flush()
      store = new HistoryStore({ storage, precision })
    }
  }
  return { store, end }
}

function read(store: HistoryStore, now: number, asked: readonly number[]) {
  const work = readForecasts(store, { field: 1, things: asked, now, fullPercent: 100 })
  let steps = 0
  for (;;) {
    const { done, value } = work.next()
    if (done) return { found: value, steps }
    steps++
  }
}

test('[M 3.6] the forecasts come from quarter hours, from today’s minutes, and from what is in no block yet', () => {
  const { store, end } = twoWeeks()
  const { found } = read(store, end, [...things, 900])
  const [first, ...others] = found
  const left = (50 - (end - T0) / dayMs) * dayMs
  expect((first!.fullAt! - end) / left).toBeCloseTo(1, 2)
  expect(first!.since! - T0).toBeLessThan(6 * hourMs)
  expect(others).toEqual([
    { reason: 'flat', since: expect.any(Number) as number },
    { reason: 'short' },
    { reason: 'short' },
  ])
})

test('[M 3.6] only what is in the last thirty days counts', () => {
  const { store, end } = twoWeeks()
  const now = end + 28 * dayMs
  const [one] = read(store, now, [growing!]).found
  expect(one).toMatchObject({ reason: 'short' })
  expect(now - one!.since!).toBeLessThan(30.5 * dayMs)
})

test('[M 3.6] a step has at most a block or a few fits, so that charts are read in between', () => {
  const { store, end } = twoWeeks()
  const one = read(store, end, [growing!]).steps
  expect(one).toBeGreaterThan(20)
  expect(
    read(
      store,
      end,
      Array.from({ length: 41 }, (_, thing) => thing),
    ).steps,
  ).toBe(one + 20)
})
