import type { HistoryPoint } from '@pulse/contract'
import {
  formatBytes,
  formatNumber,
  formatPercent,
  formatRate,
  formatTemperature,
  formatUptime,
  MISSING,
} from '../../lib/format.ts'
import type { ChartAxis, ChartPoint } from '../chart/series.ts'

/** How the figures of a unit are drawn and written. */
export interface FigureForm {
  /** from the stored value to the drawn one */
  factor: number
  /** from the unit of a threshold to the drawn one */
  limitFactor: number
  /** unit in the head of a CSV column */
  unit: string
  format: (value: number | undefined) => string
  axis: ChartAxis
}

const axisOf = (tick: (value: number) => string, more: Partial<ChartAxis> = {}): ChartAxis => ({
  tick,
  least: 1,
  ...more,
})

const percent: FigureForm = {
  factor: 1,
  limitFactor: 1,
  unit: '%',
  format: (value) => formatPercent(value),
  // a quiet guest is not drawn as noise over the whole height
  axis: axisOf((value) => `${formatNumber(value, undefined, 1)}%`, { least: 10, most: 100 }),
}
const number = (unit: string, digits = 2): FigureForm => {
  const format = (value: number | undefined) => formatNumber(value, undefined, digits)
  return { factor: 1, limitFactor: 1, unit, format, axis: axisOf(format) }
}

function milliseconds(value: number | undefined): string {
  if (value === undefined) return MISSING
  const [amount, unit] = value < 1_000 ? [value, 'ms'] : [value / 1_000, 's']
  return `${formatNumber(amount, undefined, 1)} ${unit}`
}

/** No time at all is a figure too. */
const duration = (seconds: number | undefined): string => (seconds === 0 ? '0s' : formatUptime(seconds))

const byUnit: Readonly<Record<string, FigureForm>> = {
  percent,
  ratio: { ...percent, factor: 100 },
  bytes: {
    factor: 1,
    limitFactor: 1,
    unit: 'B',
    format: (value) => formatBytes(value),
    axis: axisOf((value) => formatBytes(value), { least: 1024, isBinary: true }),
  },
  'bytes/s': {
    factor: 1,
    limitFactor: 1024 ** 2,
    unit: 'B/s',
    format: (value) => formatRate(value),
    axis: axisOf((value) => formatRate(value), { least: 1024, isBinary: true }),
  },
  '°C': {
    factor: 1,
    limitFactor: 1,
    unit: '°C',
    format: (value) => formatTemperature(value),
    axis: axisOf((value) => formatTemperature(value), { least: 50 }),
  },
  ms: { ...number('ms'), format: milliseconds, axis: axisOf(milliseconds, { least: 10 }) },
  cores: number('cores'),
  seconds: {
    factor: 1,
    // an age has its limits in minutes
    limitFactor: 60,
    unit: 's',
    format: duration,
    axis: axisOf(duration, { least: 60, isTime: true }),
  },
  count: number(''),
  state: number('', 0),
}

const factor: FigureForm = number('x')

/** The form of a unit of the catalogue. */
export const formOf = (unit: string, isFactor = false): FigureForm =>
  isFactor ? factor : (byUnit[unit] ?? number(unit))

/** The point as it is drawn. */
export const drawnPoint = ({ at, min, mean, max }: HistoryPoint, { factor }: FigureForm): ChartPoint => ({
  at,
  value: mean * factor,
  low: min * factor,
  high: max * factor,
})
