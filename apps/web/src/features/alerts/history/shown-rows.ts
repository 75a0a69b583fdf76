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

const DAY_MS = 86_400_000

const months = new Intl.DateTimeFormat('en', { month: 'long' })

/** Key of the local day of a time. */
export function dayOf(epochMs: number): string {
  const date = new Date(epochMs)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Today, Yesterday, or a date such as `January 21st`; with the year if it is not the current one. */
export function dayLabel(day: string, now: number): string {
  if (day === dayOf(now)) return 'Today'
  // noon, because DST makes days of 23 or 25 hours
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const noon = new Date(year, month - 1, date, 12)
  const today = new Date(now)
  const noonOfToday = new Date(today.getFullYear(), today.getMonth(), today.getDate(), 12)
  if (Math.round((noonOfToday.getTime() - noon.getTime()) / DAY_MS) === 1) return 'Yesterday'
  const label = `${months.format(noon)} ${date}${suffix(date)}`
  return year === today.getFullYear() ? label : `${label}, ${year}`
}

function suffix(date: number): string {
  if (date >= 11 && date <= 13) return 'th'
  return { 1: 'st', 2: 'nd', 3: 'rd' }[date % 10] ?? 'th'
}

const two = (part: number) => String(part).padStart(2, '0')
