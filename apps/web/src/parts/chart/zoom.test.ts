import { expect, test } from 'vitest'
import { drawnSpan, zoomed } from './zoom.ts'

const minute = 60_000

test('[M 3.1] the moment of the crosshair keeps its place on the chart', () => {
  const span = { from: 0, to: 100 * minute }
  expect(zoomed(span, 0.5, 25 * minute)).toEqual({ from: 12.5 * minute, to: 62.5 * minute })
  expect(zoomed(span, 2, 25 * minute)).toEqual({ from: -25 * minute, to: 175 * minute })
})

test('no span is shorter than a minute', () => {
  expect(zoomed({ from: 0, to: minute }, 0.5, 30_000)).toEqual({ from: 0, to: minute })
  expect(drawnSpan(100_000, 90_000)).toEqual({ from: 65_000, to: 125_000 })
})

test('a span may be drawn in either direction', () => {
  expect(drawnSpan(10 * minute, 4 * minute)).toEqual({ from: 4 * minute, to: 10 * minute })
})
