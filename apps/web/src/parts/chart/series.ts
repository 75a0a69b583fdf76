import type { Span } from '../../lib/times.ts'
import { formatAxisTime, formatMoment } from '../../lib/format.ts'

/** `accent` and `neutral` do not express a state. */
export type ChartTone = 'accent' | 'neutral' | 'pale' | 'yellow' | 'red' | CompareTone

/** Of lines that are compared. None of them is the colour of a state. */
export const compareTones = ['line1', 'line2', 'line3', 'line4', 'line5', 'line6', 'line7', 'line8'] as const
type CompareTone = (typeof compareTones)[number]

/** The figures of a period; `low` and `high` equal the value of a single sample. */
export interface ChartPoint {
  /** epoch ms */
  at: number
  value: number
  low: number
  high: number
}

export interface ChartSeries {
  label: string
  /** in the order of time */
  points: readonly ChartPoint[]
  format: (value: number | undefined) => string
  tone: ChartTone
  /** default: by its position */
  dash?: readonly number[]
  /** without figures of its own in these times; default: the gaps of the chart */
  gaps?: readonly ChartGap[]
  /** lines that are compared have no range behind them */
  hasBand?: false
}

/** Why there are no figures: no answer from the source, not running, or Pulse was off. */
export type GapReason = 'silent' | 'stopped' | 'gone' | 'off'

export interface ChartGap extends Span {
  reason: GapReason
  words: string
}

/** The axis of all lines. It begins at 0. */
export interface ChartAxis {
  tick: (value: number) => string
  /** top of the axis, however low the figures are */
  least: number
  /** top of the axis, however high the figures are */
  most?: number
  /** ticks are multiples of 1,024 */
  isBinary?: true
  /** ticks are whole minutes, hours or days; figures are seconds */
  isTime?: true
}

/** A line across the chart, such as a threshold. */
export interface ChartLimit {
  label: string
  value: number
}

/** A moment at which something happened, such as an alert. */
export interface ChartMark {
  at: number
  text: string
  tone: 'yellow' | 'red'
}

export type EventSymbol = 'backup' | 'power' | 'move'

/** What happened to the thing itself; `to` equals `from` if it has no known duration. */
export interface ChartEvent extends Span {
  id: string
  text: string
  symbol: EventSymbol
}

export interface ChartData {
  span: Span
  series: readonly ChartSeries[]
  gaps: readonly ChartGap[]
  axis: ChartAxis
  limits?: readonly ChartLimit[]
  marks?: readonly ChartMark[]
  /** newest first */
  events?: readonly ChartEvent[]
}

export const toneVariable: Record<ChartTone, string> = {
  accent: '--accent',
  neutral: '--ink-3',
  pale: '--pale',
  yellow: '--yellow-fill',
  red: '--red-fill',
  line1: '--line-1',
  line2: '--line-2',
  line3: '--line-3',
  line4: '--line-4',
  line5: '--line-5',
  line6: '--line-6',
  line7: '--line-7',
  line8: '--line-8',
}

/** Makes lines distinguishable without colour. */
export const dashOf = ({ dash }: Pick<ChartSeries, 'dash'>, index: number): readonly number[] | undefined =>
  dash ?? [undefined, [5, 3], [2, 2]][index % 3]

const dayMs = 86_400_000

/** A moment within the span; with its date if the span is longer than a day. */
export const timeText = (at: number, { from, to }: Span, locale?: string): string =>
  to - from > dayMs ? formatMoment(at, locale) : formatAxisTime(at, 0, locale)

/** Describes the lines for screen readers. */
export function chartSummary(
  { span, series, gaps, limits = [], marks = [], events = [] }: ChartData,
  locale?: string,
): string {
  const lines = series.map((one) => `${one.label}: ${lineSummary(one)}.`)
  const time = (at: number) => timeText(at, span, locale)
  const holes = gaps.map(({ from, to, words }) => `${words} from ${time(from)} to ${time(to)}.`)
  const alerts = marks.map(({ at, text }) => `${time(at)}: ${text}.`)
  const happened = events
    .filter(({ from, to }) => span.from <= to && from <= span.to)
    .map(({ from, text }) => `${time(from)}: ${text}.`)
  const bounds = limits.map(({ label }) => `${label}.`)
  const whole = `From ${time(span.from)} to ${time(span.to)}.`
  return [...lines, whole, ...bounds, ...holes, ...alerts, ...happened].join(' ')
}

function lineSummary({ points, format }: ChartSeries): string {
  const last = points.at(-1)
  if (!last) return 'no figures'
  const low = points.reduce((least, point) => Math.min(least, point.low), Infinity)
  const high = points.reduce((most, point) => Math.max(most, point.high), -Infinity)
  return `last ${format(last.value)}, lowest ${format(low)}, highest ${format(high)}`
}
