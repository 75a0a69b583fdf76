import type { Forecast, NoForecast } from '@pulse/contract'
import { type GrowthPoint, growthOf, median } from './growth.ts'
import { sinceJump } from './jumps.ts'
import { dayMs, hourMs } from './tiers.ts'

/**
 * Usage of a period, in percent: the mean of the largest samples, one of each quarter hour, or of each minute where
 * quarter hours are not made yet.
 */
export interface UsagePoint {
  at: number
  percent: number
}

export interface ForecastOptions {
  now: number
  /** the usage at which it takes nothing more */
  fullPercent?: number
}

/** Several nights, and at most as much as one reading of quarter hours is quick. */
export const forecastWindowMs = 30 * dayMs
/** Short enough for twelve points in three days, long enough that backups of one night are one point. */
export const forecastPeriodMs = 6 * hourMs

const leastSpanDays = 3
const leastPoints = 8
/** Without newer points, nothing is known about the present. */
const mostAgeDays = 1.25
const mostDays = 2 * 365
/** A trend is continued for at most so many times the length of its history. */
const mostAhead = 20
/** The fastest and the slowest growth of a trend may differ by this factor. */
const mostRange = 5
/** From each quarter of the history to the next, it grows by at least this part of the trend, and at most its inverse. */
const leastSteadiness = 0.3
/** A single step is in one of them, so it does not grow from one to the next twice. */
const quarters = 4
const recentPoints = 4
/** Growth that began or accelerated lately is a trend of the last half or quarter. */
const parts = [1, 2, 4]

/**
 * When a thing will be full, from its usage in periods of six hours. There is a date only if the history
 * justifies it: three days of it, a growth that is certain and steady, and a time that is not far beyond the
 * history. A clean-up or another size is a jump of the usage: the history begins after it.
 */
export function forecast(
  history: readonly UsagePoint[],
  { now, fullPercent = 100 }: ForecastOptions,
): Forecast {
  const all = history.map(({ at, percent }) => ({ x: (at - now) / dayMs, y: percent }))
  const points = sinceJump(all, forecastPeriodMs / dayMs)
  // Usage that is no longer measured may have grown again.
  const isCurrent = points.length > 0 && -points.at(-1)!.x <= mostAgeDays
  const hasFallen = isCurrent && isBelow(points, all.slice(0, all.length - points.length))
  let first: Forecast | undefined
  for (const part of parts) {
    const from = points.length - Math.ceil(points.length / part)
    if (!leavesRange(points, from)) continue
    const found = continued(points.slice(from), now, fullPercent)
    if (found.reason === 'short' && hasFallen) found.hasEased = true
    if (found.fullAt !== undefined) return found
    first ??= found
  }
  return first ?? { reason: 'short' }
}

/** Whether the usage was higher before the jump. The last point before may be a mean of before and after. */
const isBelow = (points: readonly GrowthPoint[], before: readonly GrowthPoint[]): boolean =>
  points[0] !== undefined && before.length > 0 && points[0].y < (before.at(-2) ?? before.at(-1)!).y

/** Whether the growth since then has left the range of everything before, so that it is not part of a cycle. */
function leavesRange(points: readonly GrowthPoint[], from: number): boolean {
  if (from === 0) return true
  const before = points.slice(0, from).map(({ y }) => y)
  const highest = Math.max(...before)
  const level = median(points.slice(-recentPoints).map(({ y }) => y))
  return level - highest > highest - Math.min(...before)
}

function continued(points: readonly GrowthPoint[], now: number, fullPercent: number): Forecast {
  const [first, last] = [points.at(0), points.at(-1)]
  if (!first || !last) return { reason: 'short' }
  const since = Math.round(now + first.x * dayMs)
  const none = (reason: NoForecast): Forecast => ({ reason, since })
  const spanDays = last.x - first.x
  if (spanDays < leastSpanDays || points.length < leastPoints || -last.x > mostAgeDays) return none('short')
  const levels = quartersOf(points)
  if (levels.at(-1)!.y <= levels[0]!.y) return none('flat')

  const growth = growthOf(points)
  if (growth.lowest <= 0) return none('flat')
  if (!isSteady(levels, growth.slope)) return none('irregular')
  // The line may lag behind, and the last point may be an outlier.
  const ahead = median(points.slice(-recentPoints).map(({ x, y }) => y - growth.at(x)))
  const left = Math.max(0, fullPercent - growth.at(0) - ahead)
  const days = (slope: number) => left / slope
  if (days(growth.slope) > mostDays) return none('late')
  if (days(growth.slope) > mostAhead * spanDays) return { ...none('short'), hasEased: true }
  if (growth.highest > mostRange * growth.lowest) return none('irregular')
  const at = (slope: number) => Math.round(now + days(slope) * dayMs)
  return {
    since,
    fullAt: at(growth.slope),
    earliestAt: at(growth.highest),
    ...(days(growth.lowest) <= mostDays && { latestAt: at(growth.lowest) }),
  }
}

const quartersOf = (points: readonly GrowthPoint[]): GrowthPoint[] =>
  Array.from({ length: quarters }, (_, n) => {
    const start = (part: number) => Math.round((part * points.length) / quarters)
    const own = points.slice(start(n), start(n + 1))
    return { x: median(own.map(({ x }) => x)), y: median(own.map(({ y }) => y)) }
  })

/** A single step, or growth that has ended, has a trend too, but does not continue. */
const isSteady = (levels: readonly GrowthPoint[], slope: number): boolean =>
  levels.slice(1).every((after, n) => {
    const before = levels[n]!
    const share = (after.y - before.y) / ((after.x - before.x) * slope)
    return share >= leastSteadiness && share <= 1 / leastSteadiness
  })

/** Below this part of the time that is left, a date that moved is the same. */
const sameWithin = 0.02

/** Whether a forecast says the same as the one before. Otherwise each hour would change each record. */
export function isSameForecast(before: Forecast, after: Forecast, now: number): boolean {
  if (before.reason !== after.reason || before.hasEased !== after.hasEased) return false
  if (after.reason !== undefined) return true
  if (Math.abs((before.since ?? 0) - (after.since ?? 0)) > dayMs) return false
  return (['fullAt', 'earliestAt', 'latestAt'] as const).every((name) => {
    const [old, fresh] = [before[name], after[name]]
    if (old === undefined || fresh === undefined) return old === fresh
    return Math.abs(fresh - old) <= Math.max(hourMs, sameWithin * (fresh - now))
  })
}
