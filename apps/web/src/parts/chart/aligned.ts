import type { Span } from '../../lib/times.ts'
import type { ChartData, ChartGap, ChartPoint, ChartSeries } from './series.ts'

/** A column of the plot: null interrupts the line, undefined does not. */
export type Column = (number | null | undefined)[]

export interface Aligned {
  /** epoch ms, rising */
  times: number[]
  /** those of all points and events, and the middle of each gap: where the crosshair stops */
  stops: number[]
  /** low and high of each series, then the value of each: later columns are drawn above earlier ones */
  columns: Column[]
}

/** A line without figures for less than this is not interrupted, because sources answer at different intervals. */
const leastHoleMs = 180_000
const usualIntervals = 6

/** All series on one time axis. */
export function align({ series, gaps, events = [] }: Pick<ChartData, 'series' | 'gaps' | 'events'>): Aligned {
  const breaks = series.map((one) => breaksOf(one, one.gaps ?? gaps))
  const stops = rising([
    ...series.flatMap(({ points }) => points.map(({ at }) => at)),
    ...gaps.map(({ from, to }) => Math.floor((from + to) / 2)),
    ...events.map(({ from }) => from),
  ])
  const times = rising([...stops, ...breaks.flat().map(({ from, to }) => (from + to) / 2)])
  const drawn = series.map(({ points }, index) => {
    const byTime = new Map(points.map((point) => [point.at, point]))
    const column = (read: (point: ChartPoint) => number): Column =>
      times.map((time) => {
        const point = byTime.get(time)
        return point ? read(point) : isWithin(breaks[index]!, time) ? null : undefined
      })
    return {
      range: [column(({ low }) => low), column(({ high }) => high)],
      value: column(({ value }) => value),
    }
  })
  const columns = [...drawn.flatMap(({ range }) => range), ...drawn.map(({ value }) => value)]
  return { times, stops, columns }
}

const rising = (times: readonly number[]): number[] => [...new Set(times)].toSorted((a, b) => a - b)

const isWithin = (breaks: readonly Span[], time: number): boolean =>
  breaks.some(({ from, to }) => from < time && time < to)

/** Where the line is interrupted, each time between two neighbouring points. */
export function breaksOf({ points }: Pick<ChartSeries, 'points'>, gaps: readonly ChartGap[]): Span[] {
  const holeMs = holeAfterMs(points)
  const widthMs = intervalsOf(points).reduce((least, one) => Math.min(least, one), Infinity)
  const breaks: Span[] = []
  for (let n = 1; n < points.length; n++) {
    const [before, after] = [points[n - 1]!.at, points[n]!.at]
    // a gap within the period of one point does not separate it from the next
    const isGap = gaps.some(({ from, to }) => before <= from && from < after && before + widthMs < to)
    if (isGap || after - before > holeMs) breaks.push({ from: before, to: after })
  }
  return breaks
}

/** A line has a hole where its points are much farther apart than usual. */
export function holeAfterMs(points: readonly ChartPoint[]): number {
  const intervals = intervalsOf(points).toSorted((a, b) => a - b)
  return Math.max(leastHoleMs, usualIntervals * (intervals[intervals.length >> 1] ?? 0))
}

const intervalsOf = (points: readonly ChartPoint[]): number[] =>
  points.slice(1).map(({ at }, n) => at - points[n]!.at)

/** Points without a neighbour on either side. A line cannot show them. */
export function isolated(column: Column): number[] {
  const known = column.flatMap((value, index) => (value === undefined ? [] : [{ value, index }]))
  return known.flatMap(({ value, index }, n) =>
    value !== null && (known[n - 1]?.value ?? null) === null && (known[n + 1]?.value ?? null) === null
      ? [index]
      : [],
  )
}
