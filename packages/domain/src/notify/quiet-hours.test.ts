import { scheduleDefaults, weekdays } from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { isQuiet, type QuietHours, quietUntil } from './quiet-hours.ts'
import { transitionBetween, wallTimeAt } from './zone-clock.ts'

/** All zones in the long run of the tests. */
const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())

const quiet = (changes: Partial<QuietHours>): QuietHours => ({
  ...scheduleDefaults.quietHours,
  enabled: true,
  ...changes,
})

describe('[facts/alerts 6] quiet hours', () => {
  test('the part after midnight belongs to the day before', () => {
    const weekdaysOnly = quiet({})
    expect(isQuiet(weekdaysOnly, at('2026-11-20T22:00:00Z')), 'Friday evening').toBe(true)
    expect(isQuiet(weekdaysOnly, at('2026-11-21T07:59:59Z')), 'Saturday morning').toBe(true)
    expect(isQuiet(weekdaysOnly, at('2026-11-21T08:00:00Z'))).toBe(false)
    expect(isQuiet(weekdaysOnly, at('2026-11-21T22:30:00Z')), 'Saturday evening').toBe(false)
    expect(isQuiet(weekdaysOnly, at('2026-11-23T03:00:00Z')), 'Monday before dawn').toBe(false)
  })

  test('within one day', () => {
    const lunch = quiet({ start: '12:00', end: '13:30' })
    expect(isQuiet(lunch, at('2026-11-20T11:59:59Z'))).toBe(false)
    expect(isQuiet(lunch, at('2026-11-20T13:29:59Z'))).toBe(true)
    expect(iso(quietUntil(lunch, at('2026-11-20T12:10:00Z')))).toBe('2026-11-20T13:30:00.000Z')
  })

  test('where start and end are one it lasts a whole day, and on all days without end', () => {
    const friday = {
      ...quiet({}).days,
      ...Object.fromEntries(weekdays.map((day) => [day, day === 'friday'])),
    }
    const whole = quiet({ start: '06:00', end: '06:00', days: friday })
    expect(iso(quietUntil(whole, at('2026-11-20T06:00:00Z')))).toBe('2026-11-21T06:00:00.000Z')
    expect(isQuiet(whole, at('2026-11-20T05:59:00Z'))).toBe(false)
    const always = { ...friday, ...Object.fromEntries(weekdays.map((day) => [day, true])) }
    const endless = quiet({ start: '00:00', end: '00:00', days: always as QuietHours['days'] })
    expect(quietUntil(endless, at('2026-11-20T06:00:00Z'))).toBeGreaterThan(at('2026-11-27T06:00:00Z'))
  })

  test('switched off it is never quiet', () => {
    expect(isQuiet(quiet({ enabled: false }), at('2026-11-20T23:00:00Z'))).toBe(false)
    expect(quietUntil(quiet({ enabled: false }), at('2026-11-20T23:00:00Z'))).toBeUndefined()
  })

  test('the end is where the clock on the wall shows it, whatever was set meanwhile', () => {
    const night = quiet({ timezone: 'Europe/Berlin', end: '02:30', days: everyDay() })
    // the night of 29 March has no 02:30: the clock jumps from 02:00 to 03:00
    expect(iso(quietUntil(night, at('2026-03-28T23:00:00Z')))).toBe('2026-03-29T01:00:00.000Z')
    // the night of 25 October has 02:30 twice, and two quiet times
    expect(iso(quietUntil(night, at('2026-10-24T22:00:00Z')))).toBe('2026-10-25T00:30:00.000Z')
    expect(isQuiet(night, at('2026-10-25T00:45:00Z'))).toBe(false)
    expect(isQuiet(night, at('2026-10-25T01:15:00Z'))).toBe(true)
    expect(iso(quietUntil(night, at('2026-10-25T01:15:00Z')))).toBe('2026-10-25T01:30:00.000Z')
  })
})

const everyDay = (): QuietHours['days'] =>
  Object.fromEntries(weekdays.map((day) => [day, true])) as QuietHours['days']

/** The zone's time by `Intl`, independent of the product's `Temporal`. */
function clockAt(timeZone: string, now: number) {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'longOffset',
    })
    formats.set(timeZone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const day = weekdays.indexOf(parts['weekday']!.toLowerCase() as (typeof weekdays)[number])
  return { day, time: `${parts['hour']}:${parts['minute']}`, offset: parts['timeZoneName'] }
}
const formats = new Map<string, Intl.DateTimeFormat>()

/** The reference: quiet from `start` of a selected day until `end` of the same or next day. */
function isQuietByCalendar({ start, end, days, timezone }: QuietHours, now: number): boolean {
  const { day, time } = clockAt(timezone, now)
  const counts = (one: number) => days[weekdays[(one + 7) % 7]!]
  const today = counts(day)
  if (start < end) return today && start <= time && time < end
  return (today && time >= start) || (counts(day - 1) && time < end)
}

/** No zone changes its offset twice within this time. */
const stepMs = 14 * dayMs
const years = 10
const everyZone = Intl.supportedValuesOf('timeZone')
const zones = scale > 1 ? everyZone : everyZone.filter((_, index) => index % 6 === 0)

test(`[R20] right around every transition of ${zones.length} zones for ten years`, () => {
  const from = at('2026-01-01T00:00:00Z')
  let transitions = 0
  const wrong: string[] = []
  for (const timezone of zones) {
    const moments: number[] = []
    let before = clockAt(timezone, from).offset
    for (let begin = from; begin < from + years * 365.25 * dayMs; begin += stepMs) {
      const after = clockAt(timezone, begin + stepMs).offset
      if (after !== before) moments.push(transitionBetween(timezone, begin, begin + stepMs)!)
      before = after
    }
    transitions += moments.length
    for (const moment of [...moments, from]) {
      // hours with clock changes, an overnight period and one at noon
      const rest = [
        quiet({ timezone, start: '01:30', end: '02:30', days: everyDay() }),
        quiet({ timezone, start: '23:30', end: '03:15' }),
        quiet({ timezone, start: '22:00', end: '00:30' }),
      ]
      for (const hours of rest) {
        for (const around of [-3 * hourMs, -hourMs, -1, 0, 1, hourMs, 3 * hourMs]) {
          const now = moment + around
          if (isQuiet(hours, now) !== isQuietByCalendar(hours, now)) wrong.push(`${timezone} ${iso(now)}`)
          const until = quietUntil(hours, now)
          if (until === undefined) continue
          const isEnd = !isQuietByCalendar(hours, until) && isQuietByCalendar(hours, until - 1)
          if (!isEnd) wrong.push(`${timezone} ${iso(now)} until ${iso(until)}`)
        }
      }
    }
  }
  console.log(`${transitions} transitions`)
  expect(transitions).toBeGreaterThan(2 * zones.length)
  expect(wrong.slice(0, 5)).toEqual([])
})

test('offsets of zones that are no whole hours', () => {
  const noon = { weekday: 1, minuteOfDay: 12 * 60, sinceMidnight: 12 * hourMs }
  expect(wallTimeAt('Asia/Kathmandu', at('2026-06-01T06:15:00Z'))).toEqual(noon)
  const second = { weekday: 4, minuteOfDay: 1230, sinceMidnight: 1230 * minuteMs + 500 }
  expect(wallTimeAt('America/St_Johns', at('2026-01-02T00:00:00.500Z'))).toEqual(second)
})
