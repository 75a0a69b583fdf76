import type { HistoryGap, HistoryPoint, HistorySeries } from '@pulse/contract'
import type { HistoryAnswer } from './use-series.ts'

export const now = Date.UTC(2026, 5, 1, 12)

export const aPoint = (at: number, mean: number, change: Partial<HistoryPoint> = {}): HistoryPoint => ({
  at,
  min: mean,
  mean,
  max: mean,
  last: mean,
  count: 1,
  ...change,
})

export const aSeries = (
  field: string,
  unit: string,
  points: readonly HistoryPoint[],
  gaps: readonly HistoryGap[] = [],
): HistorySeries => ({ id: 'a', field, unit, points: [...points], gaps: [...gaps] })

export const anAnswer = (...series: readonly HistorySeries[]): HistoryAnswer => ({
  tier: 'raw',
  from: now - 3_600_000,
  to: now,
  series: [...series],
})
