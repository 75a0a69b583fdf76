import { describe, expect, test } from 'vitest'
import { forecastNote, fullInParts, isNear } from './words.ts'

const now = Date.UTC(2026, 5, 15)
const day = 24 * 3_600_000
const inDays = (days: number) => now + days * day

describe('[M 3.6] full in', () => {
  test.each([
    [inDays(12.4), '12 days'],
    [inDays(1.2), '1 day'],
    [inDays(0.4), '< 1 day'],
    [inDays(-3), '< 1 day'],
    [undefined, '— '],
  ])('%s: %s', (fullAt, words) => {
    const { figure, unit } = fullInParts(fullAt === undefined ? { reason: 'flat' } : { fullAt }, now)
    expect(`${figure} ${unit}`).toBe(words)
  })

  test('the note has the range and what it is based on', () => {
    const one = { fullAt: inDays(12), earliestAt: inDays(9), latestAt: inDays(17), since: inDays(-14) }
    expect(forecastNote(one, now)).toBe('Between 9 and 17 days, from the last 14 days')
    const { latestAt: _latest, ...open } = one
    expect(forecastNote(open, now)).toBe('At least 9 days, from the last 14 days')
    const narrow = { ...one, earliestAt: inDays(11.8), latestAt: inDays(12.2) }
    expect(forecastNote(narrow, now)).toBe('From the last 14 days')
    const { since: _since, ...alone } = narrow
    expect(forecastNote(alone, now)).toBe('At its present growth')
  })

  test.each([
    [undefined, 'No forecast yet'],
    [{ reason: 'flat' }, 'Not growing'],
    [{ reason: 'short' }, 'Too little history since it was added, cleaned up or resized'],
    [{ reason: 'irregular' }, 'Growing too irregularly for a forecast'],
    [{ reason: 'late' }, 'Not within two years'],
  ] as const)('without a date the note says why: %j', (forecast, words) =>
    expect(forecastNote(forecast, now)).toBe(words),
  )

  test('a month is near', () =>
    expect([29, 31, undefined].map((days) => isNear(days ? { fullAt: inDays(days) } : {}, now))).toEqual([
      true,
      false,
      false,
    ]))
})
