import { type GrowthPoint, median } from './growth.ts'

/** A clean-up or another size changes the usage by more than this, in percent of the size. */
const leastJump = 1.5
/** And by so many times what it usually changes from one point to the next. */
const unusual = 8

/**
 * The points after the last jump. Jumps that repeat, such as a weekly prune, are part of the trend, unless it
 * has gone on for longer than ever before between two of them.
 */
export function sinceJump(points: readonly GrowthPoint[], periodDays: number): readonly GrowthPoint[] {
  const jumps = jumpsIn(points, periodDays)
  const last = jumps.at(-1)
  if (last === undefined) return points
  const since = points.at(-1)!.x - points[last]!.x
  const longest = Math.max(0, ...jumps.slice(1).map((at, n) => points[at]!.x - points[jumps[n]!]!.x))
  return since > longest ? points.slice(last) : points
}

/** The index of the first point after each jump. A single outlier is none. */
function jumpsIn(points: readonly GrowthPoint[], periodDays: number): number[] {
  const levels = points.map(({ y }, n) => {
    const [before, after] = [points[n - 1], points[n + 1]]
    return before && after ? median([before.y, y, after.y]) : y
  })
  const changes = levels.slice(1).map((level, n) => Math.abs(level - levels[n]!))
  const limit = Math.max(leastJump, unusual * median(changes))
  const jumps: number[] = []
  // The mean of a period in which it jumps is in between, so a jump has up to two steps.
  for (let n = 2; n < levels.length; n++) {
    const periods = (points[n]!.x - points[n - 2]!.x) / periodDays
    if (Math.abs(levels[n]! - levels[n - 2]!) <= (limit * Math.max(2, periods)) / 2) continue
    if (jumps.at(-1) === n - 1) jumps.pop()
    jumps.push(n)
  }
  return jumps
}
