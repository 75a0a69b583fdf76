import { expect, test } from 'vitest'
import { moved, nextOf, stepOf, within } from './steps.ts'

const minute = 60_000
const span = { from: 30_000, to: 1_000 * minute + 30_000 }

test.each([
  { key: 'ArrowLeft', by: -minute },
  { key: 'ArrowRight', by: minute },
  { key: 'ArrowDown', by: -minute },
  { key: 'ArrowUp', by: minute },
  { key: 'ArrowLeft', shift: true, by: -60 * minute },
  { key: 'ArrowRight', shift: true, by: 60 * minute },
  { key: 'PageUp', by: 1_440 * minute },
  { key: 'PageDown', by: -1_440 * minute },
  { key: 'Home', by: -Infinity },
  { key: 'End', by: Infinity },
  { key: 'a', by: undefined },
])('[M 3.4] $key (shift: $shift) moves by $by ms', ({ key, shift = false, by }) => {
  expect(stepOf(key, shift)).toBe(by)
})

test('[M 3.4] a moment is a whole minute within the history, or one of its ends', () => {
  expect(within(span, 100 * minute + 20_000)).toBe(100 * minute)
  expect(moved(span, 100 * minute, -minute)).toBe(99 * minute)
  expect(moved(span, 100 * minute + 40_000, minute)).toBe(101 * minute)
  expect([moved(span, 5 * minute, -Infinity), moved(span, 5 * minute, Infinity)]).toEqual([
    span.from,
    span.to,
  ])
  expect(moved(span, 5 * minute, -60 * minute)).toBe(span.from)
})

test('[M 3.4] the next alert is the nearest one', () => {
  const alerts = [5, 9, 1, 3]
  expect([nextOf(alerts, 5, 'before'), nextOf(alerts, 5, 'after')]).toEqual([3, 9])
  expect([nextOf(alerts, 1, 'before'), nextOf([], 1, 'after')]).toEqual([undefined, undefined])
})
