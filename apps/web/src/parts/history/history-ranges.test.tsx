// @vitest-environment happy-dom
import type { HistoryTier } from '@pulse/contract'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { formatAxisTime, formatMoment } from '../../lib/format.ts'
import { type SeriesCall, showHistory } from './fake-history.tsx'
import { aPoint, now } from './fixtures.ts'
import { charts, choose, click, hour, nextId, viewTest } from './view-steps.ts'

viewTest()

const day = 24 * hour

/** Three figures of a tier that ends now. Each stands for many samples, except in the finest one. */
const ofTier =
  (tier: HistoryTier, periodMs: number) =>
  ({ ids, from, to }: SeriesCall) => ({
    tier,
    from,
    to,
    series: [
      {
        id: ids,
        field: 'cpu',
        unit: 'ratio',
        points: [3, 2, 1].map((n) =>
          aPoint(to - n * periodMs, 0.2, tier === 'raw' ? {} : { min: 0.1, max: 0.9, count: 60 }),
        ),
        gaps: [],
      },
    ],
  })

const clock = (at: number) => formatAxisTime(at, 0)
const single = '20.0%'
const ofMany = '20.0% (10.0% to 90.0%)'

test.each([
  { range: '1 h', length: hour, tier: 'raw', periodMs: 10_000, time: clock, figure: single },
  { range: '24 h', length: day, tier: 'minute', periodMs: 60_000, time: clock, figure: ofMany },
  {
    range: '30 d',
    length: 30 * day,
    tier: 'quarter',
    periodMs: hour / 4,
    time: formatMoment,
    figure: ofMany,
  },
  { range: '1 y', length: 365 * day, tier: 'day', periodMs: day, time: formatMoment, figure: ofMany },
] as const)(
  '[M 3.1] $range asks for its whole length, and shows figures of the tier $tier',
  async (given) => {
    const { range, length, tier, periodMs, time, figure } = given
    const files: Promise<string>[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      files.push((blob as Blob).text())
      return 'blob:x'
    })
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()

    const { calls } = await showHistory({ id: nextId(), answer: ofTier(tier, periodMs) })
    await charts()
    await choose(range)
    const [cpu] = await charts()
    await vi.waitFor(
      () => expect(screen.getByRole('figure', { name: 'CPU' }).getAttribute('aria-busy')).toBe('false'),
      { timeout: within(20_000) },
    )
    const { from, to, points } = calls.at(-1)!
    expect({ length: to - from, points }).toEqual({ length, points: 400 })
    expect(to).toBeGreaterThanOrEqual(now)
    expect(to, 'it ends now').toBeLessThanOrEqual(Date.now())
    expect(cpu!.getAttribute('aria-valuemax')).toBe('2')
    expect(cpu!.getAttribute('aria-valuetext')).toBe(`${time(to - periodMs)}, CPU ${figure}`)

    await click('Download as JSON')
    expect(JSON.parse(await files[0]!)).toMatchObject({ kind: 'guests', tier })
  },
)
