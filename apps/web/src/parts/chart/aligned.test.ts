import { describe, expect, test } from 'vitest'
import { align, breaksOf, isolated } from './aligned.ts'
import { readAt } from './reading.ts'
import type { ChartGap, ChartSeries } from './series.ts'

const series = (...times: number[]): ChartSeries => ({
  label: 'CPU',
  points: times.map((at) => ({ at, value: at, low: at - 1, high: at + 1 })),
  format: String,
  tone: 'accent',
})
const gap = (from: number, to: number): ChartGap => ({ from, to, reason: 'off', words: 'Pulse not running' })
const minutes = (...numbers: number[]) => numbers.map((one) => one * 60_000)

describe('[M 1.2] a gap is never a line', () => {
  test('the line is interrupted between the figures before and after it', () => {
    const { times, columns } = align({ series: [series(0, 10, 50, 60)], gaps: [gap(20, 50)] })
    expect(times).toEqual([0, 10, 30, 35, 50, 60])
    expect(columns.at(-1)).toEqual([0, 10, null, null, 50, 60])
  })

  test('neither is it where another line has figures meanwhile', () => {
    const { columns } = align({ series: [series(0, 10, 50, 60), series(25)], gaps: [gap(20, 50)] })
    expect(columns.at(-2)!.slice(2, 5)).toEqual([null, null, null])
  })

  test('Pulse was off from its last sample on', () => {
    expect(breaksOf(series(0, 10, 60, 70), [gap(10, 60)])).toEqual([{ from: 10, to: 60 }])
  })

  test('a gap within the period of one figure does not separate it from the next', () => {
    expect(breaksOf(series(0, 100, 200), [gap(20, 60)])).toEqual([])
    expect(breaksOf(series(0, 100, 300), [gap(120, 290)])).toEqual([{ from: 100, to: 300 }])
  })

  test('neither is a time without figures that has no reason', () => {
    expect(breaksOf(series(...minutes(0, 1, 2, 12, 13)), [])).toEqual([{ from: 2 * 60_000, to: 12 * 60_000 }])
    expect(breaksOf(series(...minutes(0, 10, 20, 40)), []), 'a source that answers seldom').toEqual([])
  })
})

test('series with figures at other times share the axis, and their lines stay whole', () => {
  const { times, columns } = align({ series: [series(0, 20), series(10)], gaps: [] })
  expect(times).toEqual([0, 10, 20])
  expect(columns).toEqual([
    [-1, undefined, 19],
    [1, undefined, 21],
    [undefined, 9, undefined],
    [undefined, 11, undefined],
    [0, undefined, 20],
    [undefined, 10, undefined],
  ])
})

test('a figure between two gaps is drawn as a dot', () => {
  expect(isolated([1, 2, null, 3, undefined, null, undefined, 4])).toEqual([3, 7])
})

describe('what a line shows at a moment', () => {
  const gaps = [gap(60, 100)]
  const line = series(0, 10, 20, 50, 110)

  test('the nearest figures', () => {
    expect(readAt(line, gaps, 14)).toMatchObject({ point: { at: 10 } })
    expect(readAt(line, gaps, 16)).toMatchObject({ point: { at: 20 } })
  })

  test('the reason in a gap', () => {
    expect(readAt(line, gaps, 61)).toEqual({ gap: gaps[0] })
    expect(readAt(line, gaps, 100)).toMatchObject({ point: { at: 110 } })
  })

  test('nothing where figures are too far', () => {
    expect(readAt(line, gaps, 10_000_000)).toBeUndefined()
    expect(readAt(series(), [], 5)).toBeUndefined()
  })
})
