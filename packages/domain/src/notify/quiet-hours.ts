import { type AlertSchedule, type Weekday, weekdays } from '@pulse/contract'
import { transitionBetween, wallTimeAt } from './zone-clock.ts'

export type QuietHours = AlertSchedule['quietHours']

const dayMs = 86_400_000
/** If every hour is quiet, there is no end to find. */
const mostSteps = 64

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
/** `weekdays` begins with Monday, `Temporal`'s numbers with Sunday. */
const dayOf = (weekday: number): Weekday => weekdays[(weekday + 6) % 7]!

/**
 * Uses the wall time of the zone. Quiet hours past midnight belong to the day on which they begin. If start
 * and end are equal, they last until the same time of the next day.
 */
export function isQuiet(quiet: QuietHours, now: number): boolean {
  return endOfDayPart(quiet, now) !== undefined
}

/** ms from today's midnight to the end; more than a day if it ends tomorrow. */
function endOfDayPart({ enabled, start, end, timezone, days }: QuietHours, now: number): number | undefined {
  if (!enabled) return undefined
  const { weekday, minuteOfDay } = wallTimeAt(timezone, now)
  const [from, to] = [minutesOf(start), minutesOf(end)]
  const today = days[dayOf(weekday)]
  if (from < to) return today && minuteOfDay >= from && minuteOfDay < to ? to * 60_000 : undefined
  if (today && minuteOfDay >= from) return dayMs + to * 60_000
  return days[dayOf(weekday + 6)] && minuteOfDay < to ? to * 60_000 : undefined
}

let asked: { quiet: QuietHours; now: number; until: number | undefined } | undefined

/** The end of the current quiet period, at most a week ahead. Undefined if it is not quiet now. */
export function quietUntil(quiet: QuietHours, now: number): number | undefined {
  // cached, because thousands of alerts ask at the same moment
  if (asked?.quiet !== quiet || asked.now !== now) asked = { quiet, now, until: endOf(quiet, now) }
  return asked.until
}

function endOf(quiet: QuietHours, now: number): number | undefined {
  let at = now
  for (let step = 0; step < mostSteps; step++) {
    const end = endOfDayPart(quiet, at)
    if (end === undefined) break
    const { sinceMidnight } = wallTimeAt(quiet.timezone, at)
    const expected = at + end - sinceMidnight
    // a change to or from summer time moves the end
    at = transitionBetween(quiet.timezone, at, expected) ?? expected
    if (at > now + 8 * dayMs) break
  }
  return at === now ? undefined : at
}
