import type { FigureUnit } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { precisionOf } from './precision.ts'

/** the largest error of a stored value: a share of it, or an absolute one */
const errors: Record<FigureUnit, { share?: number; least: number; values: fc.Arbitrary<number> }> = {
  ratio: { least: 0.0005, values: fc.double({ min: 0, max: 1, noNaN: true }) },
  percent: { least: 0.005, values: fc.double({ min: 0, max: 12_800, noNaN: true }) },
  bytes: { share: 0.000_13, least: 0.51, values: fc.integer({ min: 0, max: 2 ** 53 - 1 }) },
  'bytes/s': { share: 0.002_6, least: 0.51, values: fc.double({ min: 0, max: 1e12, noNaN: true }) },
  '°C': { least: 0.05, values: fc.double({ min: -50, max: 150, noNaN: true }) },
  cores: { least: 0.0005, values: fc.double({ min: 0, max: 256, noNaN: true }) },
  seconds: { least: 0.5, values: fc.integer({ min: 0, max: 4e9 }) },
  ms: { least: 0.0501, values: fc.double({ min: 0, max: 1e6, noNaN: true }) },
  count: { least: 0.5, values: fc.integer({ min: 0, max: 1e9 }) },
  state: { least: 0.5, values: fc.integer({ min: 0, max: 2 }) },
}

test.each(Object.entries(errors))(
  '%s: a stored value is a whole number and as close as a page shows it',
  (unit, { share = 0, least, values }) => {
    const { toStored, fromStored } = precisionOf[unit as FigureUnit]
    fc.assert(
      fc.property(values, (value) => {
        const stored = toStored(value)
        expect(Number.isSafeInteger(stored)).toBe(true)
        expect(Math.abs(fromStored(stored) - value)).toBeLessThanOrEqual(least * 1.000_001 + share * value)
      }),
    )
  },
)

test.each(Object.entries(errors))('%s: stored values keep the order of values', (unit, { values }) => {
  const { toStored } = precisionOf[unit as FigureUnit]
  fc.assert(
    fc.property(values, values, (a, b) => {
      const [small, large] = a < b ? [a, b] : [b, a]
      expect(toStored(small)).toBeLessThanOrEqual(toStored(large))
    }),
  )
})

test('nothing stays nothing, and a negative rate of a restarted counter counts as nothing', () => {
  for (const { toStored, fromStored } of Object.values(precisionOf)) expect(fromStored(toStored(0))).toBe(0)
  expect(precisionOf['bytes/s'].toStored(-5)).toBe(0)
})

test('the largest number of a source is a number of the answer', () => {
  for (const { toStored, fromStored } of [precisionOf.bytes, precisionOf['bytes/s']])
    for (const value of [1e308, Number.MAX_VALUE]) expect(fromStored(toStored(value))).toBeLessThan(Infinity)
})
