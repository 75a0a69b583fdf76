import { expect, test } from 'vitest'
import { nextStop } from './row-focus.ts'

const rows = ['head', 'a', 'details-a', 'b', 'c']
const isStop = (row: string) => !row.startsWith('details')
const from = (row: string, key: string) => nextStop(rows, isStop, rows.indexOf(row), key)

test.each([
  ['head', 'ArrowDown', 'a'],
  ['a', 'ArrowDown', 'b'],
  ['b', 'ArrowUp', 'a'],
  ['c', 'ArrowDown', 'c'],
  ['head', 'ArrowUp', 'head'],
  ['a', 'End', 'c'],
  ['c', 'Home', 'head'],
  ['head', 'PageDown', 'c'],
  ['c', 'PageUp', 'head'],
  ['a', 'Enter', undefined],
  ['a', 'x', undefined],
])('from %s, %s goes to %s: details are no stop', (row, key, expected) => {
  expect(from(row, key)).toBe(expected)
})

test('a page is ten stops', () => {
  const many = Array.from({ length: 40 }, (_, i) => `r${i}`)
  expect(nextStop(many, () => true, 5, 'PageDown')).toBe('r15')
  expect(nextStop(many, () => true, 25, 'PageUp')).toBe('r15')
})
