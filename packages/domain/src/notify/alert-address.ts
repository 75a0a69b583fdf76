import { type Alert, historyLimits } from '@pulse/contract'

const minuteMs = 60_000

/** The page of one alert: the alert history has those that are active and those that are over. */
export function alertAddress(
  publicUrl: string,
  { resourceName, startTime }: Pick<Alert, 'resourceName' | 'startTime'>,
): string {
  const start = Math.floor(Date.parse(startTime) / minuteMs) * minuteMs
  // without the period and the level, the reader's last choices apply, which may hide the alert
  const period = `period=${historyLimits.retentionDays}d&level=all`
  const range = `from=${start}&to=${start + minuteMs}`
  const search = `search=${encodeURIComponent(resourceName.toWellFormed())}`
  return `${publicUrl}/alerts/history?${period}&${search}&${range}`
}
