import type { HistoryGap, HistorySeries } from '@pulse/contract'
import type { Span } from '../../lib/times.ts'
import type { ChartData, ChartEvent, ChartGap, ChartLimit, ChartMark, ChartSeries } from '../chart/series.ts'
import type { HistoryChart, HistoryLine, KindHistory } from './charts.ts'
import { drawnPoint, type FigureForm, formOf } from './figure-forms.ts'
import type { Triggers } from './triggers.ts'
import type { HistoryAnswer } from './use-series.ts'

export interface ShownChart {
  title: string
  /** its figures, by their name in the catalogue */
  lines: readonly { field: string; form: FigureForm }[]
  data: Omit<ChartData, 'span' | 'limits' | 'marks' | 'events'>
}

type GapWords = Pick<KindHistory, 'stopped'>

/** The charts with figures, or all of them if none has any. */
export function toCharts({ charts, ...words }: KindHistory, { series }: HistoryAnswer): ShownChart[] {
  const byField = new Map(series.map((one) => [one.field, one]))
  const all = charts.map((chart) => toChart(chart, byField, words))
  const withFigures = all.filter(({ data }) => data.series.some(({ points }) => points.length > 0))
  return withFigures.length > 0 ? withFigures : all
}

function toChart(
  { title, lines }: HistoryChart,
  byField: ReadonlyMap<string, HistorySeries>,
  words: GapWords,
): ShownChart {
  const found = lines.flatMap((line) => {
    const series = byField.get(line.field)
    return series ? [{ line, series, form: formOf(series.unit, line.isFactor) }] : []
  })
  return {
    title,
    lines: found.map(({ line: { field }, form }) => ({ field, form })),
    data: {
      axis: (found[0]?.form ?? formOf('count')).axis,
      series: found.map(({ line, series: { points, gaps }, form }): ChartSeries => ({
        label: line.label,
        tone: line.tone ?? 'accent',
        ...(line.dash && { dash: line.dash }),
        ...(line.isApart && { gaps: uniqueGaps([gaps], words), hasBand: false }),
        format: form.format,
        points: points.map((point) => drawnPoint(point, form)),
      })),
      gaps: uniqueGaps(gapsOfChart(found), words),
    },
  }
}

/** Lines of other things are apart. If all are, the times that all of them miss for one reason are drawn. */
function gapsOfChart(
  found: readonly { line: HistoryLine; series: HistorySeries }[],
): readonly (readonly HistoryGap[])[] {
  const own = found.filter(({ line }) => !line.isApart)
  if (own.length > 0) return own.map(({ series }) => series.gaps)
  const [first, ...others] = found.map(({ series }) => series.gaps)
  return first ? [others.reduce<readonly HistoryGap[]>(sharedGaps, first)] : []
}

/** Two things miss the same answer at times that differ by moments. */
const sharedGaps = (some: readonly HistoryGap[], others: readonly HistoryGap[]): HistoryGap[] =>
  some.flatMap((one) =>
    others.flatMap((other) => {
      const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)]
      return one.reason === other.reason && from < to ? [{ from, to, reason: one.reason }] : []
    }),
  )

const notAnswering = 'Not answering'

/** The words for each kind of gap. */
export const reasonWords = ({
  // a kind without words for it has no such gaps
  stopped = notAnswering,
}: GapWords): Record<HistoryGap['reason'], string> => ({
  silent: notAnswering,
  stopped,
  gone: 'Removed',
  off: 'Pulse not running',
})

/** Lines of one thing share most gaps. */
function uniqueGaps(ofLines: readonly (readonly HistoryGap[])[], ofKind: GapWords): ChartGap[] {
  const words = reasonWords(ofKind)
  const byKey = new Map(ofLines.flat().map((gap) => [`${gap.from} ${gap.to} ${gap.reason}`, gap]))
  return [...byKey.values()]
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, reason }) => ({ from, to, reason, words: words[reason] }))
}

/** No figures, and no gap that explains it. */
export const isEmpty = (charts: readonly ShownChart[]): boolean =>
  charts.every(
    ({ data: { series, gaps } }) =>
      series.every(({ points }) => points.length === 0) && gaps.every(({ reason }) => reason === 'off'),
  )

/** The chart of a span, with its thresholds, alerts and events. */
export function complete(
  { data, lines }: ShownChart,
  span: Span,
  triggers: Triggers,
  marks: readonly ChartMark[],
  events: readonly ChartEvent[] = [],
): ChartData {
  const limits = lines.flatMap(({ field, form: { limitFactor } }) =>
    (triggers[field] ?? []).map(({ word, value }): ChartLimit => {
      const drawn = value * limitFactor
      return { label: `${word} at ${data.axis.tick(drawn)}`, value: drawn }
    }),
  )
  const unique = [...new Map(limits.map((limit) => [limit.value, limit])).values()]
  return { ...data, span, limits: unique, marks, events }
}
