import { expect, test } from 'vitest'
import { counting, hasInOrder, withoutTail } from './text.ts'

test.each([
  [0, '0 disks'],
  [1, '1 disk'],
  [38, '38 disks'],
])('%i is counted in words that people use', (count, text) => expect(counting(count, 'disk')).toBe(text))

test('an irregular plural is an argument', () =>
  expect([1, 2].map((count) => counting(count, 'host runs', 'hosts run'))).toEqual([
    '1 host runs',
    '2 hosts run',
  ]))

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
