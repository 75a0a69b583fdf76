import { describe, expect, test } from 'vitest'
import { asOf, fixedSpan, type HistoryChoice, refreshMs, spanUntil, zoomTo } from './range.ts'

const hour = 3_600_000
const now = Date.UTC(2026, 5, 1, 12)
const recent: HistoryChoice = { range: '24h', chosenAt: now, asTable: false }
const custom: HistoryChoice = {
  ...recent,
  range: 'custom',
  custom: { from: now - 10 * hour, to: now - 4 * hour },
}

test('[M 3.1] a range ends now, a free one and a zoom do not move', () => {
  expect(spanUntil('6h', now)).toEqual({ from: now - 6 * hour, to: now })
  expect(fixedSpan(recent)).toBeUndefined()
  expect(fixedSpan(custom)).toEqual(custom.custom)
  const zoom = { from: now - 2 * hour, to: now - hour }
  expect(fixedSpan({ ...custom, zoom })).toEqual(zoom)
})

test('[M 3.1] a range is loaded again once it has another point, at most every ten seconds', () => {
  expect(refreshMs('1h', 400)).toBe(10_000)
  expect(refreshMs('24h', 400)).toBe(216_000)
  expect(refreshMs('30d', 400)).toBe(6_480_000)
})

test('[M 1.4] a zoom is of the thing that the whole range shows', () => {
  const zoom = { from: now - 9 * hour, to: now - 8 * hour }
  expect([recent, { ...recent, zoom }].map((choice) => asOf(choice, now))).toEqual([now, now])
  expect([custom, { ...custom, zoom }].map((choice) => asOf(choice, now))).toEqual(
    Array(2).fill(custom.custom!.to),
  )
  // at an earlier moment of the time machine
  expect(asOf(custom, now - 6 * hour)).toBe(now - 6 * hour)
})

describe('a zoom', () => {
  test('stays within the range', () => {
    const zoom = { from: now - 30 * hour, to: now - hour }
    expect(zoomTo(recent, zoom, now).zoom).toEqual({ from: now - 24 * hour, to: now - hour })
    expect(zoomTo(custom, zoom, now).zoom).toBeUndefined()
    const beyond = { from: now - 2 * hour, to: now + hour }
    expect(zoomTo(recent, beyond, now).zoom).toEqual({ from: now - 2 * hour, to: now })
  })

  test('of the whole range is none', () => {
    const zoomedIn = { ...recent, zoom: { from: now - 2 * hour, to: now } }
    expect(zoomTo(zoomedIn, { from: now - 40 * hour, to: now + hour }, now)).toEqual(recent)
    expect(zoomTo(zoomedIn, undefined, now)).toEqual(recent)
  })
})
