import { expect, test } from 'vitest'
import { dayLabel, dayOf } from './days.ts'

const now = new Date(2026, 2, 30, 0, 5).getTime()
const at = (year: number, month: number, date: number) =>
  dayOf(new Date(year, month - 1, date, 23, 59).getTime())

test.each([
  [at(2026, 3, 30), 'Today'],
  [at(2026, 3, 29), 'Yesterday'],
  [at(2026, 3, 28), 'March 28th'],
  [at(2026, 3, 21), 'March 21st'],
  [at(2026, 3, 22), 'March 22nd'],
  [at(2026, 3, 23), 'March 23rd'],
  [at(2026, 3, 11), 'March 11th'],
  [at(2026, 3, 12), 'March 12th'],
  [at(2026, 3, 13), 'March 13th'],
  [at(2025, 12, 31), 'December 31st, 2025'],
])('[spec 3 §9] the day %s is headed %s', (day, label) => {
  expect(dayLabel(day, now)).toBe(label)
})
