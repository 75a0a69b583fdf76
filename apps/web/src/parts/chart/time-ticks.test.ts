import { expect, test } from 'vitest'
import { formatAxisTime } from '../../lib/format.ts'
import { timeTicks } from './time-ticks.ts'

test('[M 3.1] a time that the edge of the chart would cut off is left out', () => {
  const hour = 3_600_000
  const [first, last] = [Date.UTC(2026, 0, 5, 10), Date.UTC(2026, 0, 5, 11)]
  const ticks = timeTicks([first, last], hour, (time) => (time === last ? 10 : 600))
  expect(ticks).toEqual([formatAxisTime(first, hour), ''])
})
