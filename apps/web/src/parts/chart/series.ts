/** `accent` and `neutral` say nothing about a state. */
export type ChartTone = 'accent' | 'neutral' | 'green' | 'yellow' | 'orange' | 'red'

export interface ChartSeries {
  label: string
  /** one for each time; undefined is a gap, never a zero */
  values: readonly (number | undefined)[]
  /** of its figures; series with the same one share an axis */
  format: (value: number | undefined) => string
  tone: ChartTone
  /** the top of its axis; without it the highest value is */
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

/** Lines are told apart without their colours too. */
export const dashOf = (index: number): number[] | undefined => [undefined, [5, 3], [2, 2]][index % 3]
