import { expect, test } from 'vitest'
import { readTimes } from './times.ts'

test('times of an address are whole numbers in order', () => {
  expect(readTimes('1', '2')).toEqual({ from: 1, to: 2 })
  for (const [from, to] of [
    ['2', '1'],
    ['x', '2'],
    [null, '2'],
    ['-1', '2'],
    ['1e3', '2000'],
  ] as const)
    expect(readTimes(from, to)).toBeUndefined()
})
