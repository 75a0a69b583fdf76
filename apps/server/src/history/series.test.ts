import { getHistorySeries, mostSeries } from '@pulse/contract'
import { usualKeepMs } from '@pulse/domain'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { given } from './fixtures-history.ts'
import { readSeries, type SeriesQuery } from './series.ts'

async function givenSeries() {
  const { history, state, clock, ...others } = await given()
  const edges = { history: history(), tables: state.tables, clock, keepMs: () => usualKeepMs }
  const asked = { kind: 'guests', fields: ['cpu'], ids: ['main:100'] } as const
  return {
    ...others,
    clock,
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
