import { expect, test } from 'vitest'
import { growthOf } from './growth.ts'

const points = (...values: number[]) => values.map((y, x) => ({ x, y }))

test('[M 3.6] the slope is the median of all pairs, so that an outlier does not bend the line', () => {
  expect(growthOf(points(0, 1, 2, 30, 4, 5, 6))).toMatchObject({ slope: 1 })
})

test('[M 3.6] the interval has the slopes at the ranks of Sen 1968', () => {
  // With independent residuals: 45 slopes, a standard deviation of sqrt(10·9·25/18) = 11.2, so ranks 11 and 34.
  const growth = growthOf(points(0, 1.2, 1.9, 3.2, 3.9, 5.2, 5.9, 7.2, 7.9, 9.2))
  const slopes = [0, 1.2, 1.9, 3.2, 3.9, 5.2, 5.9, 7.2, 7.9, 9.2]
    .flatMap((y, x, all) => all.slice(x + 1).map((other, n) => (other - y) / (n + 1)))
    .toSorted((a, b) => a - b)
  expect([growth.lowest, growth.highest]).toEqual([slopes[11], slopes[34]])
})

test('[M 3.6] points that depend on their neighbours prove less than independent ones', () => {
  const wave = [1, 1, 1, 1, -1, -1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1]
  // Independent points with these 120 slopes would prove a growth of at least 0.23.
  const growth = growthOf(points(...wave.map((one, n) => one + 0.4 * n)))
  expect(growth.slope).toBeCloseTo(0.4)
  expect(growth.lowest).toBeLessThan(0)
})

test('[M 3.6] the interval ends at the lowest and the highest slope of a pair', () => {
  // a curve: each slope from one point to the next is higher
  const growth = growthOf(points(0, 1, 2.1, 3.3, 4.6))
  expect([growth.lowest, growth.highest]).toEqual([1, 1.3].map((one) => expect.closeTo(one)))
})
