/** Ranges of the chart, in days. */
export const ranges = [
  { value: '7', label: '7d' },
  { value: '30', label: '30d' },
  { value: '90', label: '90d' },
  { value: '365', label: '1y' },
] as const
export type Range = (typeof ranges)[number]['value']
export const defaultRange: Range = '30'

/** px */
export const CHART_HEIGHT = 128
const MOST_LINES = 5

/** Values of the grid lines, bottom to top; the last is the top of the chart. */
export function gridLines(most: number): number[] {
  const step = stepFor(Math.max(1, most))
  const count = Math.ceil(Math.max(1, most) / step)
  return Array.from({ length: count }, (_, at) => (at + 1) * step)
}

/** 1, 2, 5, 10, 20, 50, … */
function stepFor(most: number): number {
  for (let ten = 1; ; ten *= 10)
    for (const one of [1, 2, 5]) if (most / (one * ten) <= MOST_LINES) return one * ten
}

/** Colour level of a bar, by its number of backups. */
export function barLevel(count: number): 'none' | 'few' | 'some' | 'many' {
  if (count === 0) return 'none'
  if (count <= 5) return 'few'
  return count <= 10 ? 'some' : 'many'
}

const LABELS = 10

/** Indices of the days with a label below the chart; the last day is today. */
export function labelledDays(days: readonly Date[]): number[] {
  const count = days.length
  const wanted = (day: Date, at: number): boolean => {
    if (count <= 7) return true
    if (count <= 30) return (count - 1 - at) % Math.ceil(count / LABELS) === 0
    return count <= 90 ? day.getDay() === 0 : day.getDate() === 1
  }
  return days.flatMap((day, at) => (wanted(day, at) ? [at] : []))
}
