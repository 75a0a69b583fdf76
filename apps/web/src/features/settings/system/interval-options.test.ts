import { expect, test } from 'vitest'
import { backupOptions, checkOptions, minutesOf, secondsOf } from './interval-options.ts'

test('[spec 2 §9] releases are looked for every 6, 12, 24 or 168 hours', () => {
  expect(checkOptions(24)).toEqual([
    { value: '6', label: 'Every 6 hours' },
    { value: '12', label: 'Every 12 hours' },
    { value: '24', label: 'Every day' },
    { value: '168', label: 'Every week' },
  ])
})

test.each([
  { hours: 0, label: 'Only when asked' },
  { hours: 1, label: 'Every hour' },
  { hours: 48, label: 'Every 48 hours' },
])('[spec 2 §9] another stored interval of $hours h is offered too', ({ hours, label }) => {
  expect(checkOptions(hours)).toContainEqual({ value: String(hours), label })
  expect(checkOptions(hours)).toHaveLength(5)
})

test('[spec 2 §9] the choices of backup polling', () => {
  expect(backupOptions.map(({ value, label }) => `${value} ${label}`)).toEqual([
    '0 Default (about every 90 seconds)',
    '900 15 minutes',
    '1800 30 minutes',
    '3600 1 hour',
    '21600 6 hours',
    '43200 12 hours',
    '86400 24 hours',
    'custom Custom',
  ])
})

test.each([
  { minutes: '1', seconds: 60 },
  { minutes: ' 45 ', seconds: 2_700 },
  { minutes: '10080', seconds: 604_800 },
  { minutes: '0', seconds: undefined },
  { minutes: '10081', seconds: undefined },
  { minutes: '1.5', seconds: undefined },
  { minutes: '-5', seconds: undefined },
  { minutes: 'ten', seconds: undefined },
  { minutes: '', seconds: undefined },
])('[spec 2 §5] $minutes minutes are stored as $seconds', ({ minutes, seconds }) => {
  expect(secondsOf(minutes)).toBe(seconds)
})

test('an interval from elsewhere is shown in minutes', () => {
  expect([minutesOf(2_700), minutesOf(90), minutesOf(100)]).toEqual(['45', '1.5', '1.67'])
})
