/** Days of the wall of this browser, as YYYY-MM-DD: they sort as texts. */
export function dayOf(epochMs: number): string {
  const time = new Date(epochMs)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}

/** Its noon: no change of the clocks moves that to another day. */
export const noonOf = (day: string): Date => {
  const [year, month, date] = day.split('-').map(Number)
  return new Date(year!, month! - 1, date!, 12)
}

/** The last so many days, today among them, oldest first. */
export function lastDays(count: number, nowMs: number): string[] {
  const noon = noonOf(dayOf(nowMs))
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(noon)
    day.setDate(noon.getDate() - (count - 1 - at))
    return dayOf(day.getTime())
  })
}
