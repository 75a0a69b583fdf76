// oxlint-disable-next-line typescript/triple-slash-reference -- an import needs a module, and the declaration of a package is none
/// <reference path="./ml-regression-theil-sen.d.ts" />
import { TheilSenRegression } from 'ml-regression-theil-sen'

/** A mean of a period; `x` in days. */
export interface GrowthPoint {
  x: number
  y: number
}

/** A line through points with outliers, and the slopes between which the true one is. */
export interface Growth {
  /** per day */
  slope: number
  lowest: number
  highest: number
  at(x: number): number
}

/** Of a normal distribution: 95 % are within so many standard deviations. */
const z95 = 1.96
const mostCorrelation = 0.95

/**
 * The Theil-Sen line: the median of the slopes of all pairs of points, so that up to 29 % outliers do not
 * bend it. The interval of its slope is that of Sen, "Estimates of the regression coefficient based on
 * Kendall's tau", Journal of the American Statistical Association 63 (1968), 1379-1389: of the N sorted
 * slopes, those at the ranks (N ± z·sqrt(n(n-1)(2n+5)/18)) / 2. It assumes independent points. Used space
 * deviates from a line for hours, so the variance is multiplied by (1+r)/(1-r) with the correlation r of
 * neighbouring residuals, as in Bayley and Hammersley, "The 'effective' number of independent observations in
 * an autocorrelated time series", Supplement to the Journal of the Royal Statistical Society 8 (1946),
 * 184-197.
 */
export function growthOf(points: readonly GrowthPoint[]): Growth {
  const line = new TheilSenRegression(
    points.map(({ x }) => x),
    points.map(({ y }) => y),
  )
  const at = (x: number) => line.slope * x + line.intercept
  const slopes = pairSlopes(points)
  const n = points.length
  const variance = (n * (n - 1) * (2 * n + 5)) / 18
  const correlation = neighbourCorrelation(points.map(({ x, y }) => y - at(x)))
  const spread = z95 * Math.sqrt((variance * (1 + correlation)) / (1 - correlation))
  // If not a single pair falls, it grows, however much the points depend on each other.
  const lowest = Math.max(0, Math.floor((slopes.length - spread) / 2))
  const highest = Math.min(slopes.length - 1, Math.ceil((slopes.length + spread) / 2))
  return { slope: line.slope, lowest: slopes[lowest]!, highest: slopes[highest]!, at }
}

function pairSlopes(points: readonly GrowthPoint[]): Float64Array {
  const slopes = new Float64Array((points.length * (points.length - 1)) / 2)
  let count = 0
  for (let n = 0; n < points.length; n++)
    for (let m = n + 1; m < points.length; m++)
      slopes[count++] = (points[m]!.y - points[n]!.y) / (points[m]!.x - points[n]!.x)
  return slopes.sort()
}

/** From 0 to just below 1. Residuals that alternate prove nothing about the line. */
function neighbourCorrelation(residuals: readonly number[]): number {
  let own = 0
  let shared = 0
  for (const [n, one] of residuals.entries()) {
    own += one * one
    if (n > 0) shared += one * residuals[n - 1]!
  }
  return own > 0 ? Math.min(mostCorrelation, Math.max(0, shared / own)) : 0
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
