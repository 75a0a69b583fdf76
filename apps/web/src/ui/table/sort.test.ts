import { describe, expect, test } from 'vitest'
import { cycleSort, flipSort, type Sort, sortBy, type SortValue } from './sort.ts'

describe('sortBy', () => {
  const sorted = (values: SortValue[], direction: 'asc' | 'desc') =>
    sortBy(values, (value) => value, direction)

  test('[spec 1 §4] missing and empty values sort last, whatever the direction', () => {
    const values = [undefined, 2, Number.NaN, 10, null, 0]
    expect(sorted(values, 'asc')).toEqual([0, 2, 10, undefined, Number.NaN, null])
    expect(sorted(values, 'desc')).toEqual([10, 2, 0, undefined, Number.NaN, null])
    expect(sorted(['b', '', 'a'], 'desc')).toEqual(['b', 'a', ''])
  })

  test('texts sort as people sort them', () => {
    expect(sorted(['vm10', 'VM2', 'vm1'], 'asc')).toEqual(['vm1', 'VM2', 'vm10'])
  })

  test('rows that compare equal keep their order in both directions', () => {
    const rows = [
      { n: 1, id: 'a' },
      { n: 1, id: 'b' },
      { n: 0, id: 'c' },
    ]
    const ids = (direction: 'asc' | 'desc') => sortBy(rows, ({ n }) => n, direction).map(({ id }) => id)
    expect(ids('asc')).toEqual(['c', 'a', 'b'])
    expect(ids('desc')).toEqual(['a', 'b', 'c'])
  })

  test('the input is left alone', () => {
    const rows = [2, 1]
    sortBy(rows, (row) => row, 'asc')
    expect(rows).toEqual([2, 1])
  })
})

const name = { id: 'name', header: 'Name', firstDirection: 'asc' } as const
const cpu = { id: 'cpu', header: 'CPU', firstDirection: 'desc' } as const

test('[spec 1 §4] the active column flips, a new one starts with its own direction', () => {
  let sort: Sort = { key: 'vmid', direction: 'asc' }
  const seen = [cpu, cpu, cpu, name].map((column) => {
    sort = flipSort(sort, column)
    return `${sort.key} ${sort.direction}`
  })
  expect(seen).toEqual(['cpu desc', 'cpu asc', 'cpu desc', 'name asc'])
})

test('[spec 1 §2] the summary cycle: set, flip, default', () => {
  let sort: Sort | undefined
  const seen = [name, name, name, cpu, cpu, name].map((column) => {
    sort = cycleSort(sort, column)
    return sort && `${sort.key} ${sort.direction}`
  })
  expect(seen).toEqual(['name asc', 'name desc', undefined, 'cpu desc', 'cpu asc', 'name asc'])
})
