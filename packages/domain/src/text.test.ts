import { expect, test } from 'vitest'
import { hasInOrder, withoutTail } from './text.ts'

test.each([
  ['a//', 'a'],
  ['/a', '/a'],
  ['///', ''],
  ['', ''],
  ['/'.repeat(100_000) + 'a', '/'.repeat(100_000) + 'a'],
])('the ends that repeat are left out', (text, expected) => expect(withoutTail(text, '/')).toBe(expected))

test.each([
  ['hostname lookup pve1 failed', true],
  ['failed: hostname lookup pve1', false],
  ['hostname lookup failed', false],
  ['hostname lookup '.repeat(10_000), false],
])('both parts, in this order', (text, expected) =>
  expect(hasInOrder(text, 'hostname lookup ', ' failed')).toBe(expected),
)
