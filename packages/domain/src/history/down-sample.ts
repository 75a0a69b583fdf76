/** A point of a chart. */
export interface Point {
  at: number
  value: number
}

/**
 * At most `most` of the points, chosen so that a line through them looks like a line through all: peaks stay.
 * Largest triangle three buckets, by Sveinn Steinarsson, "Downsampling Time Series for Visual Representation"
 * (University of Iceland, 2013). First and last point stay. `most` is at least 3.
 */
export function downSample(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  const size = (points.length - 2) / (most - 2)
  const chosen = [points[0]!]
  let before = points[0]!
  for (let bucket = 0; bucket < most - 2; bucket++) {
    const from = 1 + Math.floor(bucket * size)
    const to = 1 + Math.floor((bucket + 1) * size)
    const next = mean(points, to, Math.min(points.length, 1 + Math.floor((bucket + 2) * size)))
    let best = points[from]!
    let largest = -1
    for (let n = from; n < to; n++) {
      const point = points[n]!
      const area = Math.abs(
        (before.at - next.at) * (point.value - before.value) -
          (before.at - point.at) * (next.value - before.value),
      )
      if (area <= largest) continue
      largest = area
      best = point
    }
    chosen.push(best)
    before = best
  }
  return [...chosen, points.at(-1)!]
}

/** The last bucket may be empty: then the last point stands for it. */
function mean(points: readonly Point[], from: number, to: number): Point {
  if (from >= to) return points.at(-1)!
  let at = 0
  let value = 0
  for (let n = from; n < to; n++) {
    at += points[n]!.at
    value += points[n]!.value
  }
  return { at: at / (to - from), value: value / (to - from) }
}
