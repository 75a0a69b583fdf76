import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downSample } from './down-sample.ts'

const line = (values: readonly number[]) => values.map((value, n) => ({ at: n * 10_000, value }))

test('[M 2] a single peak among many equal points stays', () => {
  const points = line(Array.from({ length: 1_000 }, (_, n) => (n === 617 ? 100 : 5)))
  const shown = downSample(points, 50)
  expect(shown).toHaveLength(50)
  expect(shown).toContain(points[617])
})

test('few points are all shown', () => {
  const points = line([1, 2, 3])
  expect(downSample(points, 3)).toEqual(points)
  expect(downSample([], 50)).toEqual([])
})

test('whatever the points: never more than asked for, all of them real, in order, with both ends', () => {
  const values = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 300 })
  fc.assert(
    fc.property(values, fc.integer({ min: 3, max: 50 }), (some, most) => {
      const points = line(some)
      const shown = downSample(points, most)
      expect(shown.length).toBeLessThanOrEqual(most)
      expect([shown[0], shown.at(-1)]).toEqual([points[0], points.at(-1)])
      const places = shown.map((point) => points.indexOf(point))
      expect(places).toEqual([...new Set(places)].toSorted((a, b) => a - b))
    }),
  )
})
