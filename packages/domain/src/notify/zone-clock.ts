/** Day and time of day in a time zone. */
export interface WallTime {
  /** 0 is Sunday */
  weekday: number
  minuteOfDay: number
  /** ms since midnight */
  sinceMidnight: number
}

const zonedAt = (timeZone: string, at: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone)

export function wallTimeAt(timeZone: string, now: number): WallTime {
  const { dayOfWeek, hour, minute, second, millisecond } = zonedAt(timeZone, now)
  const minuteOfDay = hour * 60 + minute
  return {
    weekday: dayOfWeek % 7,
    minuteOfDay,
    sinceMidnight: minuteOfDay * 60_000 + second * 1000 + millisecond,
  }
}

/** The first change of the offset after `from` and up to `to`. */
export function transitionBetween(timeZone: string, from: number, to: number): number | undefined {
  const next = zonedAt(timeZone, from).getTimeZoneTransition('next')?.epochMilliseconds
  return next !== undefined && next <= to ? next : undefined
}

/** `1 January 2026, 13:05 (Europe/Berlin)`. */
export function dayAndTime(timeZone: string, at: number): string {
  const zoned = zonedAt(timeZone, at)
  const date = zoned.toLocaleString('en-GB', { calendar: 'gregory', dateStyle: 'long' })
  return `${date}, ${zoned.toPlainTime().toString({ smallestUnit: 'minute' })} (${timeZone})`
}
