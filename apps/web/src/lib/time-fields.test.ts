import { describe, expect, test } from 'vitest'
import { readSpan, toFieldText } from './time-fields.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 5, 1, 12)

describe('the fields of a free range', () => {
  test('have the local time and read it', () => {
    const from = toFieldText(now - hour)
    expect(from).toMatch(/^2026-06-01T\d\d:00$|^2026-0[56]-\d\dT\d\d:\d\d$/)
    expect(readSpan(from, toFieldText(now))).toEqual({ from: now - hour, to: now })
  })

  test.each([
    ['', '2026-06-01T12:00', 'Enter date and time in both fields.'],
    ['2026-06-01T12:00', 'soon', 'Enter date and time in both fields.'],
    ['2026-06-01T12:00', '2026-06-01T12:00', 'The start must be before the end.'],
    ['1960-06-01T12:00', '2026-06-01T12:00', 'Enter a start after 1970.'],
  ])('%j to %j: %s', (from, to, problem) => {
    expect(readSpan(from, to)).toBe(problem)
  })
})
