import { getHistorySeries, mostSeries } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { given } from './fixtures-history.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { readSeries, type SeriesQuery } from './series.ts'

const hourMs = 3_600_000

async function givenSeries(keepMs = () => usualKeepMs) {
  const { history, state, clock, ...others } = await given({ keepMs })
  const edges = { history: history(), tables: state.tables, clock, reachMs: history().reachMs }
  const asked = { kind: 'guests', fields: ['cpu'], ids: ['main:100'] } as const
  return {
    ...others,
    state,
    clock,
    history,
    async series(query: Omit<SeriesQuery, keyof typeof asked> & Partial<SeriesQuery>) {
      const text = (await readSeries(edges, { ...asked, ...query })).toString()
      return z.parse(getHistorySeries.reply!, JSON.parse(text))
    },
  }
}

test('[M 2] the largest call has as many points as an answer may have', async () => {
  const { ticks, clock, series } = await givenSeries()
  const from = clock.now()
  await ticks(Array.from({ length: 240 }, (_, n) => n / 240))
  const many = <T>(length: number, one: T) => Array.from({ length }, () => one)
  const answer = await series({
    ids: many(mostSeries.ids, 'main:100'),
    fields: many(mostSeries.fields, 'cpu'),
    from,
    to: clock.now(),
    points: 2_000,
  })
  expect(answer.series).toHaveLength(128)
  const points = answer.series.reduce((sum, one) => sum + one.points.length, 0)
  expect(points).toBeGreaterThan(10_000)
  expect(points).toBeLessThanOrEqual(20_200)
})

test('[M 1.2] a length that is raised shows no gap where minutes are; a new history has its samples', async () => {
  let keepMs = { ...usualKeepMs, raw: hourMs }
  const { ticks, guest, clock, series, history } = await givenSeries(() => keepMs)
  const from = clock.now()
  await ticks(Array.from({ length: 12 }, () => 0.5))
  const span = { from, to: clock.now(), points: 60 }
  const found = async () => {
    const { tier, series: all } = await series(span)
    return [tier, all[0]!.points.length > 0]
  }
  expect(await found()).toEqual(['raw', true])
  keepMs = usualKeepMs
  // so far, nothing was removed
  expect(await found()).toEqual(['raw', true])
  keepMs = { ...usualKeepMs, raw: hourMs }
  clock.suspend(3 * hourMs)
  await vi.waitFor(async () => {
    guest({ cpu: 0.5 })
    await clock.advance(10_000)
    expect((await history().sizes()).tiers.map(({ tier }) => tier)).toEqual(['minute'])
  }, within(20_000))
  keepMs = usualKeepMs
  // until the maintenance that removed the samples has ended
  await expect.poll(found).toEqual(['minute', true])
  expect((await series({ ...span, from: clock.now() - 60_000, to: clock.now() })).tier).toBe('raw')
})

test('[M 1.4] a time that ends while a former guest had the number has its line, and none joins the two', async () => {
  const { ticks, tick, state, clock, series } = await givenSeries()
  const values = async (from: number, to: number, asOf?: number) =>
    (await series({ from, to, asOf })).series[0]!.points.map(({ last }) => last)
  const start = clock.now()
  await ticks([0.1, 0.2])
  state.observe({
    source: 'main',
    records: { guests: new Map() },
    state: { name: 'prod', kind: 'pve', health: 'healthy', lastSeen: clock.now() },
  })
  await tick()
  const between = clock.now()
  await ticks([0.8, 0.9], { name: 'db' })
  const end = clock.now() + 1
  expect(await values(start, end)).toEqual([0.8, 0.9])
  expect(await values(start, between)).toEqual([0.1, 0.2])
  expect(await values(between - 15_000, between)).toEqual([0.2])
  expect(await values(start, between, end)).toEqual([])
  expect(await values(start, end, between)).toEqual([0.1, 0.2])
  const isFormer = async (to: number) => (await series({ from: start, to })).series[0]!.isFormer
  expect([await isFormer(between), await isFormer(end)]).toEqual([true, undefined])

  const one = async (to: number) => (await series({ from: start, to: end, asOf: to })).series[0]!
  const [former, newcomer] = [await one(between), await one(end)]
  expect(former.until! - between).toBeLessThanOrEqual(20_000)
  expect([former.since, newcomer.until]).toEqual([undefined, undefined])
  expect(newcomer.since).toBe(former.until)
  expect(former.gaps.at(-1)).toEqual({ from: former.until! - 1, to: end - 1, reason: 'gone' })
  expect(newcomer.gaps.map(({ reason }) => reason)).not.toContain('gone')
})

test('[M 2] each figure of each record, in the order of the figures; without history it is empty', async () => {
  const { ticks, clock, series } = await givenSeries()
  await ticks([0.1, 0.2])
  const { tier, ...answer } = await series({
    ids: ['main:7', 'main:100'],
    fields: ['cpu', 'memory'],
    from: clock.now() - 5_000,
    to: clock.now() + 60_000,
  })
  expect(tier).toBe('raw')
  expect(answer.series.map(({ id, field, unit, points }) => [id, field, unit, points.length])).toEqual([
    ['main:7', 'cpu', 'ratio', 0],
    ['main:100', 'cpu', 'ratio', 1],
    ['main:7', 'memory', 'percent', 0],
    ['main:100', 'memory', 'percent', 1],
  ])
  expect(answer.series[1]).toMatchObject({
    points: [{ at: clock.now(), min: 0.2, mean: 0.2, max: 0.2, last: 0.2, count: 1 }],
    // what is to come is no gap
    gaps: [],
  })
})
