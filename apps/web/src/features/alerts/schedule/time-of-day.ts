/** `22:00` as the fields for times show it: with twelve hours where the locale has them. */
export function formatTimeOfDay(time: string, locale?: string): string {
  const [hours, minutes] = time.split(':').map(Number)
  if (hours === undefined || minutes === undefined) return time
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
  return format.format(Date.UTC(2000, 0, 1, hours, minutes))
}
