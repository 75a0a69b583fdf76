import type { Forecast, NoForecast } from '@pulse/contract'
import { formatNumber, MISSING, type Parts } from '../../lib/format.ts'

const dayMs = 24 * 3_600_000

const reasons: Record<NoForecast, string> = {
  short: 'Too little history since it was added, cleaned up or resized',
  flat: 'Not growing',
  irregular: 'Growing too irregularly for a forecast',
  late: 'Not within two years',
}

const daysUntil = (at: number, now: number) => Math.max(0, (at - now) / dayMs)

/** '12 days', '1 day', '< 1 day'. */
export function fullInParts(forecast: Forecast | undefined, now: number): Parts {
  if (forecast?.fullAt === undefined) return { figure: MISSING, unit: '' }
  const left = daysUntil(forecast.fullAt, now)
  const days = Math.round(left)
  return { figure: left < 1 ? '< 1' : formatNumber(days), unit: days <= 1 ? 'day' : 'days' }
}

/** Its range and what it is based on, or why there is no date. */
export function forecastNote(forecast: Forecast | undefined, now: number): string {
  if (!forecast) return 'No forecast yet'
  const { reason, earliestAt, latestAt, since } = forecast
  if (reason !== undefined) return reasons[reason]
  const days = (at: number) => Math.round(daysUntil(at, now))
  const from = earliestAt === undefined ? undefined : days(earliestAt)
  const to = latestAt === undefined ? undefined : days(latestAt)
  const basis =
    since === undefined ? [] : [`from the last ${counted(Math.max(1, -Math.round((since - now) / dayMs)))}`]
  return upperFirst([...rangeText(from, to), ...basis].join(', ') || presentGrowth)
}

/** Nothing if the date says as much. */
function rangeText(from: number | undefined, to: number | undefined): string[] {
  if (from === undefined) return [presentGrowth]
  if (to === undefined) return [`at least ${counted(from)}`]
  return from === to ? [] : [`between ${formatNumber(from)} and ${counted(to)}`]
}

const presentGrowth = 'at its present growth'
const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const counted = (days: number) => `${formatNumber(days)} ${days === 1 ? 'day' : 'days'}`

/** Whether it is near enough for the two lines of a phone. */
export const isNear = (forecast: Forecast | undefined, now: number): boolean =>
  forecast?.fullAt !== undefined && daysUntil(forecast.fullAt, now) < nearDays

const nearDays = 30
