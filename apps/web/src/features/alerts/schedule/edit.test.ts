import {
  type AlertSchedule,
  AlertSchedule as Schema,
  scheduleBounds,
  scheduleDefaults,
} from '@pulse/contract'
import { describe, expect, test } from 'vitest'
import { toSavedSchedule } from '../saved-form.ts'
import { readWhole } from '../whole-field.tsx'
import {
  daysHint,
  isCooldownOn,
  summarize,
  withCooldown,
  withGrouping,
  withGroupingMinutes,
  withLevel,
  withLevelAdded,
  withoutLevel,
} from './edit.ts'
import { zones } from './zones.ts'

const schedule = (change: Partial<AlertSchedule> = {}): AlertSchedule => ({ ...scheduleDefaults, ...change })
const levels = (after: number[]) => ({
  enabled: true,
  levels: after.map((minutes) => ({ after: minutes, notify: 'email' as const })),
})

test('[spec 3 §9] the defaults of the schedule', () => {
  const { quietHours, cooldown, maxAlertsHour, grouping, escalation } = scheduleDefaults
  expect(quietHours).toMatchObject({
    enabled: false,
    start: '22:00',
    end: '08:00',
    suppress: { performance: false, storage: false, offline: false },
  })
  expect(daysHint(quietHours.days)).toBe('Weekdays only')
  expect([cooldown, maxAlertsHour]).toEqual([30, 3])
  expect(grouping).toEqual({ enabled: true, window: 300, byNode: true, byGuest: false })
  expect(escalation).toEqual({ enabled: false, levels: [] })
})

describe('[spec 3 §5] whole numbers within bounds', () => {
  test.each([
    ['cooldown', 5, 120],
    ['maxAlertsHour', 1, 10],
    ['groupingMinutes', 1, 30],
    ['escalationAfter', 5, 180],
  ] as const)('%s is from %i to %i', (field, min, max) => {
    const bounds = scheduleBounds[field]
    expect([readWhole('-5', bounds, 9), readWhole('9999', bounds, 9)]).toEqual([min, max])
    expect([readWhole('7.9', bounds, 9), readWhole('7 min', bounds, 9)]).toEqual([7, 7])
    expect([readWhole('', bounds, 9), readWhole('soon', bounds, 9)]).toEqual([9, 9])
  })
})

describe('[spec 3 §4] escalation', () => {
  test('a level that is added comes 30 minutes after the last, or after 15, and notifies all', () => {
    const one = withLevelAdded(schedule())
    expect(one.escalation.levels).toEqual([{ after: 15, notify: 'all' }])
    expect(withLevelAdded(one).escalation.levels[1]).toEqual({ after: 45, notify: 'all' })
    expect(withLevelAdded(schedule({ escalation: levels([170]) })).escalation.levels[1]!.after).toBe(180)
  })

  test('levels are edited and removed one by one', () => {
    const two = schedule({ escalation: levels([15, 45]) })
    expect(withLevel(two, 1, { notify: 'webhook' }).escalation.levels).toEqual([
      { after: 15, notify: 'email' },
      { after: 45, notify: 'webhook' },
    ])
    expect(withoutLevel(two, 0).escalation.levels).toEqual([{ after: 45, notify: 'email' }])
  })
})

describe('[spec 3 §9] what is saved of what is off', () => {
  test('a cooldown is 0, and on again as it left the factory', () => {
    const off = withCooldown(schedule({ cooldown: 60 }), false)
    expect([off.cooldown, isCooldownOn(off)]).toEqual([0, false])
    expect(withCooldown(off, true)).toMatchObject({ cooldown: 30, maxAlertsHour: 3 })
  })

  test('no limit per hour is saved as 10', () => {
    expect(toSavedSchedule(schedule({ maxAlertsHour: 0 })).maxAlertsHour).toBe(10)
  })

  test('the window of grouping that is off is 30 s, and on again as it left the factory', () => {
    const off = withGrouping(schedule(), { enabled: false })
    expect(toSavedSchedule(off).groupingWindow).toBe(30)
    const loaded = { ...off, grouping: { ...off.grouping, window: 30 } }
    expect(withGrouping(loaded, { enabled: true })).toMatchObject({
      groupingWindow: 300,
      grouping: { window: 300 },
    })
  })

  test('the window is edited in minutes and kept in seconds', () => {
    expect(withGroupingMinutes(schedule(), 12)).toMatchObject({
      groupingWindow: 720,
      grouping: { window: 720 },
    })
  })
})

describe('[spec 3 §9] days and time zones', () => {
  const { days } = scheduleDefaults.quietHours
  const none = Object.fromEntries(Object.keys(days).map((day) => [day, false])) as typeof days
  test.each([
    [days, 'Weekdays only'],
    [{ ...none, saturday: true, sunday: true }, 'Weekends only'],
    [{ ...none, monday: true }, undefined],
  ])('hints', (chosen, hint) => {
    expect(daysHint(chosen)).toBe(hint)
  })

  test('UTC and 66 regional zones, each of which the server knows', () => {
    expect([zones[0], zones.length]).toEqual(['UTC', 67])
    expect(new Set(zones).size).toBe(67)
    for (const timezone of zones) {
      const quietHours = { ...scheduleDefaults.quietHours, timezone }
      expect(Schema.safeParse(schedule({ quietHours })).success, timezone).toBe(true)
    }
  })
})

test('[spec 3 §2] the summary names what is in force', () => {
  expect(summarize(scheduleDefaults)).toEqual([
    '30 min cooldown, at most 3 per hour',
    'Grouped over 5 min by node',
  ])
  const all = schedule({
    quietHours: { ...scheduleDefaults.quietHours, enabled: true },
    escalation: levels([15]),
    cooldown: 0,
  })
  expect(summarize(all, 'de')).toEqual([
    'Quiet hours 22:00 to 08:00 (UTC)',
    'Grouped over 5 min by node',
    '1 escalation level',
  ])
})

test.each([
  { locale: 'en-US', said: 'Quiet hours 10:00 PM to 8:00 AM (UTC)' },
  { locale: 'en-GB', said: 'Quiet hours 22:00 to 08:00 (UTC)' },
])('quiet hours read as the fields below show them, in $locale', ({ locale, said }) => {
  const quietHours = { ...scheduleDefaults.quietHours, enabled: true }
  const [first] = summarize(schedule({ quietHours }), locale)
  expect(first!.replaceAll('\u202f', ' ')).toBe(said)
})
