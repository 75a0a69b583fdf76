import { expect, test } from 'vitest'
import { Tally } from './back-test-tally.ts'
import { hourMs } from './tiers.ts'

test.each([
  ['forward', '2026-03-28', '2026-03-31', [24, 23, 24]],
  ['back', '2026-10-24', '2026-10-27', [24, 25, 24]],
])('[M 3.7] days begin at midnight, also when the clock goes %s', (_, first, last, hours) => {
  const midnight = (day: string) =>
    Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin').epochMilliseconds
  // in the evening, hours after the clock has changed
  for (const from of [midnight(first), midnight(first) + 22 * hourMs, midnight(first) + 46 * hourMs]) {
    const days = new Tally(from, midnight(last) + hourMs, 'Europe/Berlin').result(from).perDay
    const starts = days.map(({ day }) => day)
    const lengths = starts.slice(1).map((day, n) => (day - starts[n]!) / hourMs)
    expect(lengths).toEqual(hours.slice(-lengths.length))
    expect(starts.at(-1)).toBe(midnight(last))
    expect(starts[0]).toBeLessThanOrEqual(from)
  }
})
