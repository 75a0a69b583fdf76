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

/** The starts of the days that overlap the time. A day with a change of the offset has 23 or 25 hours. */
export function daysWithin(timeZone: string, from: number, to: number): number[] {
  const days: number[] = []
  let day = zonedAt(timeZone, from).startOfDay()
  do {
    days.push(day.epochMilliseconds)
    day = day.add({ days: 1 }).startOfDay()
  } while (day.epochMilliseconds < to)
  return days
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
