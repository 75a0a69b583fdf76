import { expect, test } from 'vitest'
import { isObservationOver } from './activation.ts'

const activationTime = '2026-01-01T12:00:00Z'
const at = (hours: number) => Date.parse(activationTime) + hours * 3_600_000

test.each([
  { given: { activationTime, observationWindowHours: 24 }, hours: 24, over: false },
  { given: { activationTime, observationWindowHours: 24 }, hours: 24.001, over: true },
  { given: { observationWindowHours: 24 }, hours: 100, over: false },
  { given: { activationTime }, hours: 100, over: false },
])('[spec 3 §4] the observation window of $given is over after $hours h: $over', ({ given, hours, over }) => {
  expect(isObservationOver(given, at(hours))).toBe(over)
})
