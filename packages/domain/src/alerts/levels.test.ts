import { expect, test } from 'vitest'
import { criticalPoint, levelOf } from './levels.ts'

test.each([
  [80, true, 90],
  [89, true, 99],
  // 100 % and more cannot be exceeded.
  [90, true, 99],
  [95, true, 99],
  [99, true, undefined],
  [100, true, undefined],
  [100, false, 110],
  [5000, false, 5010],
])('a trigger of %d (percent: %s) is critical from %s on', (trigger, isPercent, expected) => {
  expect(criticalPoint(trigger, isPercent)).toBe(expected)
})

test.each([
  [89.9, undefined, 'warning'],
  [90, undefined, 'critical'],
  [86, 'critical', 'critical'],
  [85, 'critical', 'warning'],
  [86, 'warning', 'warning'],
] as const)('%d after %s is %s', (value, before, expected) => {
  expect(levelOf(value, { criticalAt: 90, threshold: 80, clear: 75 }, before)).toBe(expected)
})

test('without room above the trigger every alert is a warning', () => {
  expect(levelOf(100, { criticalAt: undefined, threshold: 99, clear: 94 }, 'critical')).toBe('warning')
})
