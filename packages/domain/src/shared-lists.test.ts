import { expect, test } from 'vitest'
import { sharedLists } from './shared-lists.ts'

test('equal lists are one array', () => {
  const shared = sharedLists(10)
  const first = shared(['a', 'b'])
  expect(shared(['a', 'b'])).toBe(first)
  expect(shared(['b', 'a'])).toEqual(['b', 'a'])
})

test('a line break in a text does not matter', () => {
  const shared = sharedLists(10)
  shared(['a', 'b'])
  expect(shared(['a\nb'])).toEqual(['a\nb'])
})

test('the number of cached lists is limited', () => {
  const shared = sharedLists(2)
  const first = shared(['a'])
  shared(['b'])
  expect(shared(['a'])).toBe(first)
  shared(['c'])
  expect(shared(['a'])).not.toBe(first)
})
