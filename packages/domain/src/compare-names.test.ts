import { expect, test } from 'vitest'
import { compareNames } from './compare-names.ts'

test('names are in natural order: numbers in them by size, case aside', () => {
  const names = ['pve10', 'Pve3', 'pve2', 'pve', 'pve1', 'a10b2', 'a10b10', 'a9']
  expect(names.toSorted(compareNames)).toEqual([
    'a9',
    'a10b2',
    'a10b10',
    'pve',
    'pve1',
    'pve2',
    'Pve3',
    'pve10',
  ])
})
