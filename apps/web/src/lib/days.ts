const DAY_MS = 86_400_000

const months = new Intl.DateTimeFormat('en', { month: 'long' })

/** Local date as YYYY-MM-DD, which sorts as text. */
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
