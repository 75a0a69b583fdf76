import { formatAxisTime } from '../../lib/format.ts'

/** `accent` and `neutral` do not express a state. */
export type ChartTone = 'accent' | 'neutral' | 'green' | 'yellow' | 'orange' | 'red'

export interface ChartSeries {
  label: string
  /** one value per time; undefined is a gap */
  values: readonly (number | undefined)[]
  /** unit of its values; series with the same unit share an axis */
  format: (value: number | undefined) => string
  tone: ChartTone
  /** maximum of its axis; by default its highest value */
  max?: number
}

export interface ChartData {
  /** epoch ms, rising */
  times: readonly number[]
  series: readonly ChartSeries[]
}

export const toneVariable: Record<ChartTone, string> = {
  accent: '--accent',
  neutral: '--ink-3',
  green: '--green-fill',
  yellow: '--yellow-fill',
  orange: '--orange-fill',
  red: '--red-fill',
}

/** Makes lines distinguishable without colour. */
export const dashOf = (index: number): number[] | undefined => [undefined, [5, 3], [2, 2]][index % 3]

/** Describes the lines for screen readers. */
export function chartSummary({ times, series }: ChartData, locale?: string): string {
  const [from, to] = [times[0], times.at(-1)]
  if (from === undefined || to === undefined) return ''
  const span = to - from
  const lines = series.map((one) => `${one.label}: ${lineSummary(one)}.`)
  return `${lines.join(' ')} From ${formatAxisTime(from, span, locale)} to ${formatAxisTime(to, span, locale)}.`
}

function lineSummary({ values, format }: ChartSeries): string {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) return 'no figures'
  const low = known.reduce((a, b) => Math.min(a, b))
  const high = known.reduce((a, b) => Math.max(a, b))
  return `now ${format(values.at(-1))}, lowest ${format(low)}, highest ${format(high)}`
}

/** The values at one time. */
export function sampleText({ times, series }: ChartData, index: number, locale?: string): string {
  const figures = series.map(({ label, values, format }) => `${label} ${format(values[index])}`)
  return [formatAxisTime(times[index]!, 0, locale), ...figures].join(', ')
}
