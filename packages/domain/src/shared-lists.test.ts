import { expect, test } from 'vitest'
import { sharedLists } from './shared-lists.ts'

test('who has the same in it has the same list', () => {
  const shared = sharedLists(10)
  const first = shared(['a', 'b'])
  expect(shared(['a', 'b'])).toBe(first)
  expect(shared(['b', 'a'])).toEqual(['b', 'a'])
})

test('a line break in a text makes no other list of it', () => {
  const shared = sharedLists(10)
  shared(['a', 'b'])
  expect(shared(['a\nb'])).toEqual(['a\nb'])
})

test('no more than so many are kept', () => {
  const shared = sharedLists(2)
  const first = shared(['a'])
  shared(['b'])
  expect(shared(['a'])).toBe(first)
  shared(['c'])
  expect(shared(['a'])).not.toBe(first)
})
