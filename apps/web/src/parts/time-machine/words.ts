const dayMs = 86_400_000

/** `14:05 yesterday`, in the browser's locale and time zone. */
export function momentWords(at: number, now: number, locale?: string): string {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at)
  const days = Math.round((startOfDay(now) - startOfDay(at)) / dayMs)
  if (days === 0) return `${time} today`
  if (days === 1) return `${time} yesterday`
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(at)
  return `${time} on ${day}`
}

/** A day of the clock change has 23 or 25 hours, so days are counted between their starts and rounded. */
function startOfDay(at: number): number {
  const day = new Date(at)
  day.setHours(0, 0, 0, 0)
  return day.getTime()
}

/** The starts of the days in a span, for the marks of a time bar. */
export function daysIn(from: number, to: number): number[] {
  const days: number[] = []
  const day = new Date(startOfDay(from))
  for (day.setDate(day.getDate() + 1); day.getTime() <= to; day.setDate(day.getDate() + 1))
    days.push(day.getTime())
  return days
}
