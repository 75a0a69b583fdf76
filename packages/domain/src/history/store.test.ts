import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Summary } from './bucket.ts'
import { memoryStorage } from './fixtures-storage.ts'
import { compare, fields, keepMs, Model, precision, T0, things } from './fixtures-store.ts'
import { absent, isSample } from './series.ts'
import { HistoryStore } from './store.ts'
import { type BucketTier, dayMs, hourMs, minuteMs, startOf } from './tiers.ts'

const stored = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(absent)) },
)
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('ticks' as const),
      intervalMs: fc.constantFrom(10_000, 10_000, 37_000, 5 * minuteMs),
      values: fc.array(fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...things), stored), {
        minLength: 1,
        maxLength: 8,
      }),
      times: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pause' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: hourMs }), fc.integer({ min: 1, max: dayMs })),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('clock' as const),
      ms: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.constant(4 * dayMs) }) },
  // to a time whose minutes are gone, and whose quarter hours are not
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('back' as const),
      part: fc.double({ min: 0, max: 0.99, noNaN: true }),
    }),
  },
  ...(
    [
      ['compact', 8],
      ['half-compact', 3],
      ['kill', 3],
      ['restart', 3],
      ['retain', 4],
    ] as const
  ).map(([what, weight]) => ({ weight, arbitrary: fc.record({ do: fc.constant(what) }) })),
)

const manySteps = fc.array(step, { minLength: 20, maxLength: 80, size: 'max' })

const months = Number(process.env['PULSE_TEST_SCALE'] ?? 1) > 1 ? 10_000 : 100

test(
  `[M] ${months} random months: every answer of every tier agrees with a model that keeps every sample`,
  { timeout: 600 * months },
  () => {
    fc.assert(
      fc.property(manySteps, fc.boolean(), (steps, goesFarBack) => {
        const storage = memoryStorage()
        const open = () => new HistoryStore({ storage, precision: () => precision })
        const model = new Model()
        let store = open()
        let now = T0
        let highest = now
        let isOrderKnown = true
        for (const one of steps) {
          if (one.do === 'ticks')
            for (let n = 0; n < one.times; n++) {
              now += one.intervalMs
              const samples = new Map(
                one.values.map(([field, thing, value]) => [
                  `${field} ${thing}`,
                  { field, thing, stored: value },
                ]),
              )
              store.append(
                now,
                [...Map.groupBy(samples.values(), ({ field }) => field)].map(([field, own]) => ({
                  field,
                  things: own.map(({ thing }) => thing),
                  values: own.map((sample) => (isSample(sample.stored) ? sample.stored + n : sample.stored)),
                })),
              )
              model.tick(
                now,
                [...samples.values()].map((sample) => ({
                  ...sample,
                  stored: isSample(sample.stored) ? sample.stored + n : sample.stored,
                })),
              )
            }
          if (one.do === 'pause' || one.do === 'clock') now += one.ms
          if (one.do === 'back' && goesFarBack) {
            const past = model.all.filter(({ at }) => at < now - keepMs.minute! && at > highest - 9 * dayMs)
            now = past[Math.floor(one.part * past.length)]?.at ?? now
            if (past.length > 0) isOrderKnown = false
          }
          if (one.do === 'compact' || one.do === 'half-compact') model.compact(now)
          if (one.do === 'compact') for (const _ of store.compact(now));
          if (one.do === 'half-compact') store.compact(now).next()
          if (one.do === 'retain') for (const _ of store.retain(now, keepMs));
          if (one.do === 'restart') {
            store.flush()
            model.flush()
          }
          if (one.do === 'kill') model.kill()
          if (one.do === 'restart' || one.do === 'kill' || one.do === 'half-compact') {
            if (one.do === 'half-compact') {
              store.flush()
              model.flush()
            }
            store = open()
          }
          highest = Math.max(highest, now)
        }
        const ends = highest + minuteMs
        const oldest = {
          minute: highest - keepMs.minute!,
          quarter: highest - keepMs.quarter!,
          day: T0 - 30 * dayMs,
        }
        for (const tier of ['minute', 'quarter', 'day'] as const)
          compare(store, model, {
            tier,
            from: startOf(oldest[tier], dayMs) + dayMs,
            to: ends,
            isOrderKnown,
          })
        for (const field of fields)
          for (const thing of things) {
            const from = startOf(highest - keepMs.raw!, hourMs) + hourMs
            const kept = model
              .of(field, thing, from, ends)
              .map(({ at, stored: value }) => ({ at, stored: value }))
              .toSorted((a, b) => a.at - b.at)
            expect(store.samples(field, [thing], from, ends)[0]).toEqual(kept)
            for (const end of [from, ...kept.flatMap(({ at }) => [at, at + 1]), ends]) {
              const last = kept.findLast(({ at }) => at < end)
              // after a step back, a time may come again
              const sample = kept.findLast(({ at, stored: value }) => at === last?.at && isSample(value))
              expect(store.last('raw', field, [...things, thing], from, end).at(-1)).toBe(
                (sample ?? last)?.stored,
              )
            }
          }
      }),
      { numRuns: months },
    )
  },
)

/** A store whose clock goes back by five days, to a day of which only quarter hours are kept. */
function aLateDay() {
  const storage = memoryStorage()
  const store = new HistoryStore({ storage, precision: () => precision })
  const tick = (at: number, value: number) => store.append(at, [{ field: 1, things: [0], values: [value] }])
  const retain = (now: number) => {
    for (const _ of store.retain(now, keepMs));
  }
  const tidy = (now: number) => {
    for (const _ of store.compact(now));
    retain(now)
  }
  for (let n = 0; n < 48; n++) tick(T0 + n * 30 * minuteMs, n)
  tidy(T0 + 5 * dayMs)
  expect(store.buckets('minute', 1, [0], T0, T0 + dayMs)[0]).toEqual([])
  const of = (tier: BucketTier) =>
    store.buckets(tier, 1, [0], T0, T0 + dayMs)[0]!.map(({ start, bucket }) => {
      const { count, min, max } = bucket as Summary
      return [(start - T0) / minuteMs, count, min, max]
    })
  const peaks = () => {
    const found: number[] = []
    for (const _ of store.peaks(1, [0], T0, T0 + dayMs, (_thing, _start, _length, all) => {
      found.push(...Array.from(all).filter(isSample))
    }));
    return found.toSorted((a, b) => a - b)
  }
  return { tick, tidy, retain, of, peaks }
}

test('[M 4] late samples add to quarter hours whose minutes are gone, before and after they are compacted', () => {
  const { tick, tidy, of, peaks } = aLateDay()
  const before = of('quarter')
  expect(before).toHaveLength(48)
  const expectLate = (count: number, max: number) => {
    expect(of('quarter')).toEqual(
      before.map((one) => (one[0] === 30 ? [30, 1 + count, 1, max] : one)).toSorted((a, b) => a[0]! - b[0]!),
    )
    expect(of('day')).toEqual([[0, 48 + count, 0, max]])
    expect(peaks().filter((one) => one < 48)).toEqual(Array.from({ length: 48 }, (_, n) => n))
  }
  tick(T0 + 31 * minuteMs, 90)
  expectLate(1, 90)
  tidy(T0 + 3 * hourMs)
  expectLate(1, 90)
  tidy(T0 + dayMs)
  expectLate(1, 90)
  // once more, with the minutes of the late samples still there
  tick(T0 + 33 * minuteMs, 95)
  expectLate(2, 95)
  tidy(T0 + dayMs)
  expectLate(2, 95)
  // and again after those are gone, too
  tidy(T0 + 5 * dayMs)
  tick(T0 + 32 * minuteMs, 96)
  tidy(T0 + 5 * dayMs)
  expectLate(3, 96)
})

test('[M 4] quarter hours whose time is over stay until the late samples of their day have become part of it', () => {
  const { tick, tidy, of, retain } = aLateDay()
  tick(T0 + 31 * minuteMs, 90)
  tick(T0 + 12 * dayMs, 0)
  retain(T0 + 12 * dayMs)
  expect(of('day')).toEqual([[0, 49, 0, 90]])
  tidy(T0 + 12 * dayMs)
  expect(of('day')).toEqual([[0, 49, 0, 90]])
  expect(of('quarter')).toEqual([])
})

test('[M] after its limit no sample of a tier is left, and none before it is gone', () => {
  const storage = memoryStorage()
  const store = new HistoryStore({ storage, precision: () => precision })
  let now = T0
  for (let n = 0; n < 20 * 24 * 4; n++) {
    now += 15 * minuteMs
    store.append(now, [{ field: 1, things: [0], values: [n % 100] }])
    if (n % 8 === 0) for (const _ of store.compact(now));
    if (n % 50 === 0) for (const _ of store.retain(now, keepMs));
  }
  for (const _ of store.compact(now));
  for (const _ of store.retain(now, keepMs));
  const raw = store.samples(1, [0], T0, now + 1)[0]!
  expect(raw[0]!.at).toBeGreaterThanOrEqual(now - keepMs.raw! - hourMs)
  expect(raw[0]!.at).toBeLessThanOrEqual(now - keepMs.raw!)
  const oldest = (tier: BucketTier) => store.buckets(tier, 1, [0], T0, now + 1)[0]![0]!.start
  expect(now - oldest('minute')).toBeLessThanOrEqual(keepMs.minute! + hourMs)
  expect(now - oldest('quarter')).toBeLessThanOrEqual(keepMs.quarter! + dayMs)
  expect(oldest('day')).toBe(T0)
  const bytes = storage.bytes()
  expect(bytes).toBeLessThan(20_000)
})

test('[M 4] the day of many things becomes blocks in short steps, so that samples do not wait', () => {
  const many = Array.from({ length: 3_200 }, (_, thing) => thing)
  const store = new HistoryStore({ storage: memoryStorage(), precision: () => precision })
  store.append(T0, [{ field: 1, things: many, values: many }])
  for (const _ of store.compact(T0 + hourMs));
  expect([...store.compact(T0 + dayMs)].length).toBeGreaterThanOrEqual(6)
})
