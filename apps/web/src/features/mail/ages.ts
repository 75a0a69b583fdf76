import { MISSING } from '../../lib/format.ts'

/** The oldest mail of a queue: '12m', '2h 5m'. */
export function formatQueueAge(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** '12d 4h'; only hours on the first day. */
export function formatDaysHours(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return MISSING
  const hours = Math.floor(seconds / 3600)
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d ${hours % 24}h`
}

export const depthLimit = 50
export const ageLimitSeconds = 1800
