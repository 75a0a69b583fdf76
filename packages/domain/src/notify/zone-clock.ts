/** The weekday and the time of day in a zone. */
export interface WallTime {
  /** 0 is Sunday */
  weekday: number
  minuteOfDay: number
  /** ms since midnight */
  sinceMidnight: number
}

const dayMs = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** Offset of the zone from UTC, in ms. */
export function offsetAt(timeZone: string, now: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  const second = Math.floor(now / 1000) * 1000
  for (const { type, value } of formatOf(timeZone).formatToParts(second)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: s = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, s) - second
}

export function wallTimeAt(timeZone: string, now: number): WallTime {
  const local = now + offsetAt(timeZone, now)
  const sinceMidnight = ((local % dayMs) + dayMs) % dayMs
  // 1 January 1970 was a Thursday
  const weekday = (((Math.floor(local / dayMs) + 4) % 7) + 7) % 7
  return { weekday, minuteOfDay: Math.floor(sinceMidnight / 60_000), sinceMidnight }
}

/** The first moment with another offset, if there is one until `to`; it finds at most one. */
export function transitionBetween(timeZone: string, from: number, to: number): number | undefined {
  const before = offsetAt(timeZone, from)
  if (offsetAt(timeZone, to) === before) return undefined
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(timeZone, middle * 1000) === before) low = middle
    else high = middle
  }
  return high * 1000
}

/** `1 January 2026, 13:05 (Europe/Berlin)`. */
export function dayAndTime(timeZone: string, at: number): string {
  const local = new Date(at + offsetAt(timeZone, at))
  const two = (value: number) => String(value).padStart(2, '0')
  const date = `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()}`
  return `${date}, ${two(local.getUTCHours())}:${two(local.getUTCMinutes())} (${timeZone})`
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
