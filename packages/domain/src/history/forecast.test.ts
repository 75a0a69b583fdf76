import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forecast, isSameForecast, type UsagePoint } from './forecast.ts'
import { dayMs, hourMs } from './tiers.ts'

const now = Date.UTC(2026, 5, 15, 12)

/** Usage in percent by day, every six hours until now. */
const history = (days: number, usage: (day: number) => number): UsagePoint[] =>
  Array.from({ length: days * 4 + 1 }, (_, n) => ({
    at: now - (days - n / 4) * dayMs,
    percent: usage(n / 4),
  }))

const read = (points: readonly UsagePoint[], fullPercent?: number) => {
  const { fullAt, earliestAt, latestAt, since, ...why } = forecast(points, {
    now,
    ...(fullPercent !== undefined && { fullPercent }),
  })
  const days = (at: number | undefined) => at && (at - now) / dayMs
  return { days: days(fullAt), low: days(earliestAt), high: days(latestAt), since: days(since), ...why }
}

/** Noise of at most 1, different at each point and for each seed. */
const noise = (seed: number, day: number) =>
  Math.sin(seed * 12.9898 + day * 4 * 78.233) * 2 -
  Math.trunc(Math.sin(seed * 12.9898 + day * 4 * 78.233) * 2)

describe('[M 3.6] steady growth has a date', () => {
  test('exactly, without noise', () => {
    const { days, low, high, since } = read(history(30, (day) => 50 + day))
    expect([days, low, high]).toEqual([20, 20, 20].map((one) => expect.closeTo(one, 3)))
    expect(since).toBe(-30)
  })

  test('within 15 %, and within its range, whatever the noise and the outliers', () => {
    const some = {
      seed: fc.integer({ min: 1, max: 10_000 }),
      rate: fc.double({ min: 0.3, max: 1.5, noNaN: true }),
      outliers: fc.uniqueArray(fc.integer({ min: 0, max: 115 }), { maxLength: 10 }),
    }
    fc.assert(
      fc.property(fc.record(some), ({ seed, rate, outliers }) => {
        const points = history(30, (day) => 40 + rate * day + 0.5 * noise(seed, day))
        // Two in a row would be a jump and its end.
        const far = outliers.filter((at) => !outliers.includes(at - 1) && !outliers.includes(at - 2))
        for (const at of far) points[at]!.percent += 25
        const left = (60 - 30 * rate) / rate
        const { days, low, high } = read(points)
        expect(days! / left).toBeGreaterThan(0.85)
        expect(days! / left).toBeLessThan(1.15)
        expect(low!).toBeLessThanOrEqual(days!)
        expect(high!).toBeGreaterThanOrEqual(days!)
      }),
    )
  })

  test('with a wider range after three days than after thirty', () => {
    const width = (days: number) => {
      const { low, high } = read(history(days, (day) => 80 - days + day + 0.2 * noise(7, day)))
      return high! - low!
    }
    expect(width(3)).toBeGreaterThan(3 * width(30))
  })

  test('with a daily cycle of backups that are pruned', () =>
    expect(read(history(30, (day) => 50 + day + 2 * Math.sin(2 * Math.PI * day))).days).toBeCloseTo(20, 0))

  test('after few days, even if it is so smooth that each point depends on the one before', () => {
    const curved = read(history(5, (day) => 60 + 4 * day - 0.2 * day * day))
    expect(curved.days).toBeGreaterThan(curved.low!)
    expect(curved.days).toBeLessThan(curved.high!)
  })

  test('in weekly steps', () =>
    expect(read(history(30, (day) => 70 + 3 * Math.floor(day / 7))).days).toBeLessThan(60))

  test('up to the share that is usable', () =>
    expect(
      read(
        history(30, (day) => 50 + day),
        95,
      ).days,
    ).toBeCloseTo(15, 3))

  test('today, if it is full', () => expect(read(history(10, (day) => 91 + day)).days).toBe(0))
})

describe('[M 3.6] there is no date without a reason for one', () => {
  test.each([
    ['no history', [], 'short'],
    ['less than three days', history(2, (day) => 50 + day), 'short'],
    ['usage that stays', history(30, () => 50), 'flat'],
    ['usage that falls', history(30, (day) => 80 - day), 'flat'],
    ['a saw-tooth of backups with a weekly prune', history(30, (day) => 50 + ((day + 3) % 7)), 'flat'],
    ['a saw-tooth with a prune every three days', history(30, (day) => 50 + 2 * (day % 3)), 'flat'],
    ['one step', history(30, (day) => (day < 15 ? 50 : 60)), 'flat'],
    ['one small step', history(30, (day) => (day < 20 ? 50 : 51)), 'flat'],
    ['growth that has ended', history(30, (day) => 50 + Math.min(day, 15)), 'flat'],
    ['growth that has slowed down', history(30, (day) => 50 + Math.min(day, 15 + day / 20)), 'irregular'],
    ['more than two years', history(30, (day) => 10 + 0.1 * day), 'late'],
    ['a time far beyond its history', history(4, (day) => 10 + 0.5 * day), 'short'],
  ] as const)('%s', (_name, points, reason) =>
    expect(read(points)).toMatchObject({ days: undefined, reason }),
  )

  test('figures that are older than a day', () => {
    const old = (hours: number) =>
      history(30, (day) => 50 + day).map(({ at, percent }) => ({ at: at - hours * hourMs, percent }))
    expect(read(old(20)).reason).toBeUndefined()
    expect(read(old(40)).reason).toBe('short')
  })

  test('noise around one value, whatever the noise', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 3, max: 30 }), (seed, days) => {
        expect(read(history(days, (day) => 50 + noise(seed, day))).days).toBeUndefined()
      }),
    ))

  test('a small step just below its end, whenever it was, even if its figures deviate', () => {
    const some = [fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 4, max: 26 })] as const
    fc.assert(
      fc.property(...some, (seed, step) => {
        const usage = (day: number) => (day < step ? 95 : 96) + 0.15 * noise(seed, day)
        expect(read(history(30, usage)).days).toBeUndefined()
      }),
    )
  })
})

describe('[M 3.6] the history starts over', () => {
  test('after a clean-up', () => {
    const { days, since } = read(history(30, (day) => 50 + day - (day >= 20 ? 25 : 0)))
    expect(days).toBeCloseTo(45, 0)
    expect(since).toBeCloseTo(-10, 0)
  })

  test('after another size', () =>
    expect(read(history(30, (day) => (50 + day) / (day >= 20 ? 2 : 1))).days).toBeCloseTo(120, 0))

  test('so a clean-up two days ago leaves too little of it, and what was before is over', () =>
    expect(read(history(30, (day) => 50 + day - (day >= 28 ? 25 : 0)))).toMatchObject({
      reason: 'short',
      hasEased: true,
    }))

  test('usage that is no longer measured after a clean-up eases nothing, because it may have grown again', () => {
    const found = read(history(30, (day) => 50 + day - (day >= 26 ? 25 : 0)).slice(0, -8))
    expect([found.reason, found.hasEased]).toEqual(['short', undefined])
  })

  test('a copy two days ago leaves too little of it, too, and eases nothing', () => {
    const found = read(history(30, (day) => 50 + day + (day >= 28 ? 15 : 0)))
    expect([found.reason, found.hasEased]).toEqual(['short', undefined])
  })

  test('slow growth is far away, whatever the length of its history', () =>
    expect(read(history(4, (day) => 10 + 0.5 * day))).toMatchObject({ reason: 'short', hasEased: true }))

  test('but not after one of many prunes, unless it goes on for longer than ever between two', () => {
    const pruned = (last: number) => history(30, (day) => 50 + (day < last ? day % 5 : day - last))
    expect(read(pruned(30)).reason).toBe('flat')
    expect(read(pruned(20)).days).toBeCloseTo(40, 0)
  })

  test('where growth began or became faster, once it has left the range of before', () => {
    const begun = (day: number) => history(30, (one) => 50 + Math.max(0, one - day))
    expect(read(begun(18)).days).toBeGreaterThan(30)
    expect(read(begun(18)).days).toBeLessThan(50)
    const cycle = history(30, (day) => 50 + 6 * Math.sin((2 * Math.PI * (day - 26)) / 14))
    expect(read(cycle).days).toBeUndefined()
  })
})

describe('[M 3.6] a forecast that moved a little is the same', () => {
  const at = (days: number) => now + days * dayMs
  const one = { since: 0, fullAt: at(100), earliestAt: at(80), latestAt: at(120) }
  test.each([
    ['by one percent', { ...one, fullAt: at(101) }, true],
    ['by five percent', { ...one, fullAt: at(105) }, false],
    ['its range by five percent', { ...one, earliestAt: at(84) }, false],
    ['its range has no end now', { since: 0, fullAt: at(100), earliestAt: at(80) }, false],
    ['the start of its history by hours', { ...one, since: 5 * hourMs }, true],
    ['the start of its history by days', { ...one, since: 2 * dayMs }, false],
    ['there is none now', { reason: 'flat' as const }, false],
  ])('%s: %j', (_name, after, isSame) => expect(isSameForecast(one, after, now)).toBe(isSame))

  test('so is one without a date for the same reason', () => {
    expect(isSameForecast({ reason: 'flat', since: 1 }, { reason: 'flat', since: 2 }, now)).toBe(true)
    expect(isSameForecast({ reason: 'flat' }, { reason: 'short' }, now)).toBe(false)
    expect(isSameForecast({ reason: 'short' }, { reason: 'short', hasEased: true }, now)).toBe(false)
  })
})
