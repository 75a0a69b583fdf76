import { expect, test } from 'vitest'
import { followRun, isRestart, type Run } from './uptime.ts'

const run: Run = { startedAt: 400_000, uptime: 600, at: 1_000_000 }
const minute = 60_000

test.each<[string, number, number | undefined, boolean]>([
  ['an uptime that goes on', 1_010_000, 610, false],
  ['one that stands still for an hour', 1_000_000 + 60 * minute, 600, false],
  ['one that comes 40 s late', 1_040_000, 600, false],
  ['one that jumps forward', 1_010_000, 5_000, false],
  ['none at all', 1_010_000, undefined, false],
  ['a 0, which says nothing', 1_010_000, 0, false],
  ['an answer of another member that is 40 s older', 1_010_000, 570, false],
  ['a restart', 1_010_000, 3, true],
  ['a restart that was noticed late', 1_000_000 + 60 * minute, 599, true],
  ['a restart long ago, after a silence', 1_000_000 + 60 * minute, 400, true],
])('a restart is an uptime that fell: %s', (_case, at, uptime, expected) => {
  expect(isRestart(run, at, uptime)).toBe(expected)
})

test.each<[string, number, number | undefined, number | undefined]>([
  ['stays while the uptime is late', 1_040_000, 600, 400_000],
  ['stays for seconds', 1_010_000, 613, 400_000],
  ['is earlier when a late uptime caught up', 1_010_000, 650, 360_000],
  ['is later after a restart', 1_010_000, 3, 1_007_000],
  ['stays when nothing is said', 1_010_000, 0, 400_000],
])('the start %s', (_case, at, uptime, expected) => {
  expect(followRun(run, at, uptime)?.startedAt).toBe(expected)
})

test('the first uptime makes the run, and none makes none', () => {
  expect(followRun(undefined, 1_000_000, 100)).toEqual({ startedAt: 900_000, uptime: 100, at: 1_000_000 })
  expect(followRun(undefined, 1_000_000, 0)).toBeUndefined()
})
