import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AdaptiveInterval } from './adaptive.ts'

const bounds = { baseMs: 10_000, minMs: 5_000, maxMs: 300_000 }
const middle = () => 0.5

test('[facts 1.3] from the base, six tenths of the new and four of the old at a time, up to the longest', () => {
  const interval = new AdaptiveInterval()
  expect(interval.next(bounds, { ageMs: undefined, underWay: 1 }, middle)).toBe(10_000)
  const steps = [1, 2, 3, 4, 5, 6].map(() => interval.next(bounds, { ageMs: 0, underWay: 1 }, middle))
  expect(steps).toEqual([184_000, 253_600, 281_440, 292_576, 297_030, 298_812])
})

test('[facts 1.3] the older the last success the shorter, down to the shortest', () => {
  const interval = new AdaptiveInterval()
  expect(interval.next(bounds, { ageMs: 150_000, underWay: 1 }, middle)).toBe(95_500)
  for (let round = 0; round < 20; round++) interval.next(bounds, { ageMs: 300_000, underWay: 1 }, middle)
  expect(interval.next(bounds, { ageMs: 1e9, underWay: 1 }, middle)).toBe(5_000)
})

test('[facts 1.3] a tenth longer for every other source under way', () => {
  const at = (underWay: number) => new AdaptiveInterval().next(bounds, { ageMs: 200_000, underWay }, middle)
  const plain = at(1) - 4_000
  expect(at(2) - 4_000).toBeCloseTo(plain * 1.1, -2)
  expect(at(6) - 4_000).toBeCloseTo(plain * 1.5, -2)
})

test('[facts 1.3] jitter of five hundredths, and never outside the bounds', () => {
  const at = (random: number) =>
    new AdaptiveInterval().next(bounds, { ageMs: 150_000, underWay: 1 }, () => random)
  expect([at(0), at(1)]).toEqual([90_725, 100_275])
  fc.assert(
    fc.property(
      fc.array(fc.record({ ageMs: fc.nat(1e9), underWay: fc.nat(500) }), { minLength: 1, maxLength: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rounds, random) => {
        const interval = new AdaptiveInterval()
        for (const round of rounds) {
          const ms = interval.next(bounds, round, () => random)
          expect(ms).toBeGreaterThanOrEqual(bounds.minMs)
          expect(ms).toBeLessThanOrEqual(bounds.maxMs)
        }
      },
    ),
  )
})
