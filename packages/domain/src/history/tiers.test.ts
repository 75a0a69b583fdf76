import { expect, test } from 'vitest'
import { dayMs, hourMs, reachMs, usualKeepMs } from './tiers.ts'

const now = Date.UTC(2026, 5, 5)
const longer = { ...usualKeepMs, raw: 7 * dayMs }

test('[M 1.2] a tier that is kept for longer since reaches back to what was removed before', () => {
  expect(reachMs(longer, {}, now)).toEqual(longer)
  expect(reachMs(longer, { raw: now - 30 * hourMs }, now)).toEqual({ ...longer, raw: 30 * hourMs })
  expect(reachMs({ ...longer, day: undefined }, { day: now - 9 * dayMs }, now).day).toBe(9 * dayMs)
})

test('[M 4] what a clock that was ahead has left behind does not shorten a tier once it is right again', () => {
  expect(reachMs(longer, { raw: now + 29 * dayMs }, now)).toEqual(longer)
})
