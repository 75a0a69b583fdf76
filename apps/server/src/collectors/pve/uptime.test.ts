import { expect, test } from 'vitest'
import { steadyStart } from './uptime.ts'

test.each([
  ['the first time', undefined, 100, 900_000],
  ['an uptime that lags by 15 s', 885_000, 100, 885_000],
  ['a restart', 100_000, 100, 900_000],
  ['no uptime', 900_000, 0, undefined],
  ['nothing known', 900_000, undefined, undefined],
])('the start is kept unless it really moved: %s', (_case, known, uptime, expected) => {
  expect(steadyStart(known, 1_000_000, uptime)).toBe(expected)
})
