import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileComparisons } from './comparison.ts'
import type { Sign } from './term.ts'

const sign = fc.constantFrom<Sign>('>', '<', '>=', '<=', '=')
const number = fc.integer({ min: -5, max: 5 })
const comparisons = fc.array(fc.record({ sign, limit: number }), { minLength: 1, maxLength: 12 })

test('many comparisons answer what one by one they would', () => {
  fc.assert(
    fc.property(comparisons, number, (list, value) => {
      const single = list.map((one) => compileComparisons([one], 'all')(value))
      expect(compileComparisons(list, 'all')(value)).toBe(single.every(Boolean))
      expect(compileComparisons(list, 'any')(value)).toBe(single.some(Boolean))
    }),
  )
})

test.each([
  ['>', 80, 80, false],
  ['>=', 80, 80, true],
  ['<', 80, 80, false],
  ['<=', 80, 80, true],
  ['=', 80.01, 80, true],
  ['=', 80.011, 80, false],
  ['=', 79.99, 80, true],
] as const)('[spec 1 §5] %s: %s against %s is %s', (sign, value, limit, expected) => {
  expect(compileComparisons([{ sign, limit }], 'all')(value)).toBe(expected)
})
