import { holeAfterMs } from './aligned.ts'
import { type ChartData, type ChartGap, type ChartPoint, type ChartSeries, timeText } from './series.ts'

/** What a line shows at a moment: its figures, or the reason why it has none. */
export type Reading = { point: ChartPoint } | { gap: ChartGap } | undefined

/** The figures nearest to that moment, unless it lies in a gap. */
export function readAt({ points, gaps: own }: ChartSeries, ofAll: readonly ChartGap[], at: number): Reading {
  const gaps = own ?? ofAll
  const point = nearest(points, at)
  if (point?.at === at) return { point }
  const gap = gaps.find(({ from, to }) => from <= at && at < to)
  if (gap) return { gap }
  return point && Math.abs(point.at - at) <= holeAfterMs(points) ? { point } : undefined
}

/** The newest figures, unless a gap follows them. A line without figures has that gap only while other lines have none. */
export function lastReading(
  { points, gaps: own }: ChartSeries,
  { series, gaps: ofAll }: Pick<ChartData, 'series' | 'gaps'>,
): Reading {
  const gaps = own ?? ofAll
  const point = points.at(-1)
  const gap = gaps.at(-1)
  const newestAt = Math.max(...series.map((one) => one.points.at(-1)?.at ?? -Infinity))
  if (gap && (point ? gap.from >= point.at : gap.to >= newestAt)) return { gap }
  return point && { point }
}

function nearest(points: readonly ChartPoint[], at: number): ChartPoint | undefined {
  let low = 0
  let high = points.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle]!.at < at) low = middle + 1
    else high = middle
  }
  const [before, after] = [points[low - 1], points[low]]
  if (!before || !after) return after ?? before
  return at - before.at < after.at - at ? before : after
}

/** `12.0%`, and the range if the point has more than one sample. */
export function pointText({ value, low, high }: ChartPoint, format: ChartSeries['format']): string {
  const text = format(value)
  const [least, most] = [format(low), format(high)]
  return least === most ? text : `${text} (${least} to ${most})`
}

/** A pointer does not hit a moment exactly. */
const nearShare = 1 / 150

/** What happened at that moment: alerts and events. */
export function happenedAt({ span, marks = [], events = [] }: ChartData, at: number): string[] {
  const nearMs = (span.to - span.from) * nearShare
  return [
    ...marks.filter((mark) => Math.abs(mark.at - at) <= nearMs),
    ...events.filter(({ from, to }) => from - nearMs <= at && at <= to + nearMs),
  ].map(({ text }) => text)
}

/** All lines at one moment, for screen readers. */
export function sampleText(data: ChartData, at: number, locale?: string): string {
  const figures = data.series.map((one) => {
    const reading = readAt(one, data.gaps, at)
    if (!reading) return `${one.label} no figures`
    return 'gap' in reading
      ? `${one.label} ${reading.gap.words}`
      : `${one.label} ${pointText(reading.point, one.format)}`
  })
  return [timeText(at, data.span, locale), ...figures, ...happenedAt(data, at)].join(', ')
}
