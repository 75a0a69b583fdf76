import { dayOf } from '../../../lib/days.ts'
import { isWithin } from './buckets.ts'
import { type Period, periods } from './period.ts'
import { type HistoryRow, matches } from './row.ts'

const HOUR_MS = 3_600_000

export type LevelFilter = 'all' | 'critical' | 'warning'

interface Filters {
  period: Period
  level: LevelFilter
  search: string
  now: number
}

/** The rows the chart counts. */
export function filterRows(rows: readonly HistoryRow[], filters: Filters): readonly HistoryRow[] {
  const { period, level, search, now } = filters
  const hours = periods.find(({ value }) => value === period)?.hours
  const from = hours === undefined ? -Infinity : now - hours * HOUR_MS
  return rows.filter(
    (row) => row.startedAt >= from && (level === 'all' || row.level === level) && matches(row, search),
  )
}

export interface TimeRange {
  start: number
  end: number
}

/** The rows the table shows. */
export const inRange = (rows: readonly HistoryRow[], range: TimeRange | undefined): readonly HistoryRow[] =>
  range ? rows.filter(({ startedAt }) => isWithin(startedAt, range)) : rows

export type TableRow = `day:${string}` | `alert:${string}`

/** Adds a head for each day. */
export function underDays(rows: readonly HistoryRow[]): readonly TableRow[] {
  let day: string | undefined
  return rows.flatMap(({ startedAt, key }): TableRow[] => {
    const own = dayOf(startedAt)
    if (own === day) return [`alert:${key}`]
    day = own
    return [`day:${own}`, `alert:${key}`]
  })
}
