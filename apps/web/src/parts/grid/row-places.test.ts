import { describe, expect, test } from 'vitest'
import { createPlacing, rowAt, wayTo } from './row-places.ts'

const heights = [32, 100, 32, 32]
const starts = createPlacing()(heights.length, (at) => heights[at]!, [])

describe('places of rows', () => {
  test('each begins where the one above it ends; the last place is the end of all', () => {
    expect([...starts]).toEqual([0, 32, 132, 164, 196])
    expect([...createPlacing()(0, () => 32, [])]).toEqual([0])
  })

  test('heights are asked for anew only when what decides about them is something else', () => {
    let asked = 0
    const place = createPlacing()
    const given = (...deciding: unknown[]) => place(3, () => (asked++, 10), deciding)
    const rows = ['a', 'b', 'c']
    expect(given(rows, 32)).toBe(given(rows, 32))
    expect(asked).toBe(3)
    given([...rows], 32)
    given(rows, 28)
    expect(asked).toBe(9)
  })

  test.each([
    [-50, 0],
    [0, 0],
    [31.9, 0],
    [32, 1],
    [131, 1],
    [132, 2],
    [195, 3],
    [1_000, 3],
  ])('at %d px there is row %d', (y, row) => {
    expect(rowAt(starts, y)).toBe(row)
  })

  test('where there are none there is none', () => {
    expect(rowAt(new Float64Array(1), 10)).toBe(-1)
  })
})

describe('the way to a row', () => {
  test('is none while all of it is in sight', () => {
    expect(wayTo(starts, 2, 100, 170)).toBe(0)
  })

  test('leads up until it begins, or down until it ends', () => {
    expect(wayTo(starts, 1, 100, 170)).toBe(-68)
    expect(wayTo(starts, 3, 100, 170)).toBe(26)
  })

  test('of one that does not fit leads to its end', () => {
    expect(wayTo(starts, 1, 0, 50)).toBe(82)
  })
})
