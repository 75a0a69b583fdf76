// Rows of any heights, one below another. Px from where the first of them begins.

/** `starts[n]` is where row n begins; the last entry is where all of them end. */
export type RowPlaces = Float64Array

/** Places rows anew when something else decides about it than the last time. */
export function createPlacing() {
  let starts: RowPlaces = new Float64Array(1)
  let before: readonly unknown[] | undefined
  return (count: number, heightAt: (index: number) => number, deciding: readonly unknown[]): RowPlaces => {
    if (before?.every((one, at) => Object.is(one, deciding[at]))) return starts
    before = deciding
    starts = new Float64Array(count + 1)
    for (let at = 0; at < count; at++) starts[at + 1] = starts[at]! + heightAt(at)
    return starts
  }
}

/** The row that is there: above all of them the first one, below them the last one; -1 when there is none. */
export function rowAt(starts: RowPlaces, y: number): number {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= y) low = middle
    else high = middle - 1
  }
  return Math.min(low, high)
}

/** How far a view that shows what is between two places has to go for all of a row to be in it. */
export function wayTo(starts: RowPlaces, index: number, from: number, to: number): number {
  const below = starts[index + 1]! - to
  return below > 0 ? below : Math.min(0, starts[index]! - from)
}

/** Rows that exist beyond either edge of the window. */
const BEYOND = 4

/** The rows between two of them, some more on either side, and the one that is always there. */
export function around(first: number, last: number, keep: number, count: number): number[] {
  const from = Math.max(0, first - BEYOND)
  const to = Math.min(count - 1, last + BEYOND)
  const indices = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  if (keep < 0 || keep >= count || (keep >= from && keep <= to)) return indices
  return keep < from ? [keep, ...indices] : [...indices, keep]
}
