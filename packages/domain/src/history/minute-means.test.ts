import { trendPoints } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from './fixtures-storage.ts'
import { noLevel } from './minute-means.ts'
import { precisionOf } from './precision.ts'
import { absent, isSample } from './series.ts'
import { HistoryStore } from './store.ts'
import { hourMs, minuteMs, startOf } from './tiers.ts'

const T0 = Date.UTC(2026, 0, 5)
const field = 7
const precision = precisionOf.percent
const things = [0, 5, 31, 32, 700]
const highest = trendPoints.levels.length - 1

const aStore = (storage = memoryStorage()) => new HistoryStore({ storage, precision: () => precision })

interface Tick {
  afterMs: number
  /** one per thing */
  stored: number[]
}

const someTicks: fc.Arbitrary<Tick[]> = fc.array(
  fc.record({
    afterMs: fc.oneof({ weight: 9, arbitrary: fc.constant(10_000) }, fc.integer({ min: 1, max: 5_000_000 })),
    stored: fc.array(
      fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.constantFrom(...Object.values(absent))),
      {
        minLength: things.length,
        maxLength: things.length,
      },
    ),
  }),
  { maxLength: 200 },
)

test('[M 3.2] each level is the mean of its minute, from segments and from tiles', () => {
  fc.assert(
    fc.property(someTicks, fc.boolean(), (ticks, isCompacted) => {
      const store = aStore()
      const samples: { thing: number; at: number; stored: number }[] = []
      let now = T0
      for (const { afterMs, stored } of ticks) {
        now += afterMs
        store.append(now, [{ field, things, values: stored }])
        for (const [n, value] of stored.entries()) samples.push({ thing: things[n]!, at: now, stored: value })
      }
      if (isCompacted) for (const _ of store.compact(now));
      const from = startOf(now, minuteMs) - 59 * minuteMs
      const { levels, tops } = store.trends(field, things, from, 60, 100)
      for (const [row, thing] of things.entries()) {
        const means = Array.from({ length: 60 }, (_, minute) =>
          meanOf(samples, thing, from + minute * minuteMs),
        )
        const top = Math.max(100, ...means.filter((mean) => mean !== undefined))
        expect(tops[row]).toBeCloseTo(top, 1)
        for (const [minute, mean] of means.entries()) {
          const level = levels[row * 60 + minute]!
          if (mean === undefined) expect(level).toBe(noLevel)
          else expect(Math.abs((level / highest) * tops[row]! - mean)).toBeLessThan(top / highest / 2 + 0.02)
        }
      }
    }),
  )
})

function meanOf(
  samples: readonly { thing: number; at: number; stored: number }[],
  thing: number,
  start: number,
) {
  const own = samples.filter(
    (one) => one.thing === thing && startOf(one.at, minuteMs) === start && isSample(one.stored),
  )
  return own.length === 0
    ? undefined
    : own.reduce((sum, { stored }) => sum + precision.fromStored(stored), 0) / own.length
}

test('[M 3.2] a percentage is drawn against 100, a rate against its own highest minute', () => {
  const store = aStore()
  store.append(T0, [{ field, things: [0, 1], values: [5_000, 1_000] }])
  store.append(T0 + minuteMs, [{ field, things: [0, 1], values: [20_000, 500] }])
  const draw = (leastTop: number) => {
    const { levels, tops } = store.trends(field, [0, 1], T0, 2, leastTop)
    return { levels: [...levels], tops: [...tops] }
  }
  expect(draw(100)).toEqual({ levels: [13, 51, 5, 3], tops: [200, 100] })
  expect(draw(0)).toEqual({ levels: [13, 51, 51, 26], tops: [200, 10] })
})

test('[M 3.2] what is zero all the time lies on the ground', () => {
  const store = aStore()
  store.append(T0, [{ field, things: [0], values: [0] }])
  expect([...store.trends(field, [0, 1], T0, 1, 0).levels]).toEqual([0, noLevel])
})

test('[M 1.5] every tile of the hour is read once, however many things it holds', () => {
  const storage = memoryStorage()
  const read: string[] = []
  const store = aStore({
    ...storage,
    tile(place) {
      read.push(`${place.start} ${place.group}`)
      return storage.tile(place)
    },
  })
  const many = Array.from({ length: 2_500 }, (_, n) => n)
  for (const at of [T0, T0 + hourMs, T0 + 2 * hourMs])
    store.append(at, [{ field, things: many, values: many.map(() => 1) }])
  for (const _ of store.compact(T0 + 2 * hourMs));
  read.length = 0
  store.trends(field, many, T0 + hourMs + minuteMs, 60, 100)
  expect(new Set(read).size).toBe(read.length)
  // 32 things each
  expect(read).toHaveLength(79)
})
