export interface IntervalOption {
  value: string
  label: string
}

const MINUTE_S = 60
const HOUR_S = 3_600

/** h; how often Pulse checks the release feed */
const checkHours = [6, 12, 24, 168]

/** The standard intervals, plus the stored one. */
export function checkOptions(hours: number): IntervalOption[] {
  const shown = checkHours.includes(hours) ? checkHours : [...checkHours, hours].toSorted((a, b) => a - b)
  return shown.map((value) => ({ value: String(value), label: checkLabel(value) }))
}

function checkLabel(hours: number): string {
  if (hours === 0) return 'Only when asked'
  if (hours === 168) return 'Every week'
  if (hours === 24) return 'Every day'
  return hours === 1 ? 'Every hour' : `Every ${hours} hours`
}

export const customInterval = 'custom'
export const backupMinutes = { min: 1, max: 10_080 } as const

export const backupOptions: readonly IntervalOption[] = [
  { value: '0', label: 'Default (about every 90 seconds)' },
  { value: String(15 * MINUTE_S), label: '15 minutes' },
  { value: String(30 * MINUTE_S), label: '30 minutes' },
  { value: String(HOUR_S), label: '1 hour' },
  { value: String(6 * HOUR_S), label: '6 hours' },
  { value: String(12 * HOUR_S), label: '12 hours' },
  { value: String(24 * HOUR_S), label: '24 hours' },
  { value: customInterval, label: 'Custom' },
]

/** Initial custom interval if the stored one is the default. */
export const firstCustomSeconds = HOUR_S

export const isUsualInterval = (seconds: number) =>
  backupOptions.some(({ value }) => value === String(seconds))

/** Converts to the stored unit; undefined unless whole minutes in range. */
export function secondsOf(minutes: string): number | undefined {
  if (!/^\d+$/.test(minutes.trim())) return undefined
  const count = Number(minutes)
  return count >= backupMinutes.min && count <= backupMinutes.max ? count * MINUTE_S : undefined
}

/** Rounds, because the stored interval may not be whole minutes. */
export const minutesOf = (seconds: number): string => String(Math.round((seconds / MINUTE_S) * 100) / 100)
