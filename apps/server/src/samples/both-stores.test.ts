import { alertDefaults, type HistorySeries, META_ID } from '@pulse/contract'
import { atOnce, isSummary, type PlayedThing, playedRecord } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBackTests } from '../db/history/back-tests.ts'
import { chartsIn } from '../db/history/charts.ts'
import { edgeValuesIn } from '../db/history/edge-values.ts'
import { forecastsIn } from '../db/history/forecasts.ts'
import type { HistoryFile } from '../db/history/history-file.ts'
import { toSent } from '../db/history/sent-back-test.ts'
import { seriesIn } from '../db/history/series.ts'
import {
  hasVictoriaMetrics,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '../testing/victoria-metrics.ts'
import { BothStores, dayMs, figureOf, hourMs, minuteMs, T0 } from './fixtures-stores.ts'

const days = 30
/** Then the samples come every ten seconds. */
const denseFrom = T0 + days * dayMs
const end = denseFrom + 5 * hourMs
const guests = ['main:100', 'main:101', 'main:102', 'main:103']
/** Ids are foreign text. */
const storages = ['main:pve1:local', String.raw`main:"a|b"\{x="y"}.*\n`, `main:größe 🦆 ${'x'.repeat(700)}`]

/** Small numbers that look random and are the same in each run. */
const wobble = (n: number, of: number) => ((n * 7919 + of * 104_729) % 1_000) / 1_000

function valuesAt(at: number, n: number): Parameters<BothStores['tick']>[1] {
  const day = (at - T0) / dayMs
  const hasGap = day > 12 && day < 12.5
  const isStopped = day > 20 && day < 21
  return [
    ...guests.map((id, g) => {
      // loads of some hours that pass a threshold of 80 %
      const load = Math.floor(at / hourMs) % (9 + g) === 0 ? 0.85 : 0.2
      const cpu = load + 0.1 * wobble(n, g)
      const gap = hasGap ? 'silent' : isStopped && g === 1 ? 'stopped' : undefined
      const figures = {
        cpu: gap ?? cpu,
        memory: gap ?? 40 + 10 * wobble(n, g + 9),
        networkIn: gap ?? 1e6 * wobble(n, g),
      }
      return ['guests', id, figures] as Parameters<BothStores['tick']>[1][number]
    }),
    ...storages.map(
      (id, s) =>
        ['storage', id, { usage: 40 + day * (s + 0.5), used: (4e11 + day * 1e10) * (s + 1) }] as Parameters<
          BothStores['tick']
        >[1][number],
    ),
    ['meta', META_ID, { liveClients: n % 3 }],
  ]
}

/** Pulse was off for some hours. */
const wasOff = (at: number) => at > T0 + 5 * dayMs && at < T0 + 5.2 * dayMs

describe.skipIf(!hasVictoriaMetrics())('both stores (skipped: no victoria-metrics)', () => {
  let server: VictoriaMetrics
  let stores: BothStores

  beforeAll(async () => {
    server = await startVictoriaMetrics()
    stores = new BothStores(server.url)
    stores.begin(T0, 'guests', guests)
    stores.begin(T0, 'storage', storages)
    stores.begin(T0, 'meta', [META_ID])
    let n = 0
    for (let at = T0 + 3_000; at < end; at += at < denseFrom ? 10 * minuteMs : 10_000)
      if (!wasOff(at)) {
        stores.tick(at, valuesAt(at, n++))
        if (n % 50 === 0) await stores.sent()
      }
    await stores.sent()
    stores.compact(end)
    await server.settle()
  })

  afterAll(async () => {
    stores?.close()
    await server?.remove()
  })

  const both = async <T>(use: (file: HistoryFile) => T | Promise<T>) => {
    const { embedded, remote } = stores.both(use)
    return { embedded: await embedded, remote: await remote }
  }

  const figures = [
    ['guests', 'cpu', guests],
    ['guests', 'networkIn', guests],
    ['storage', 'usage', storages],
    ['storage', 'used', storages],
  ] as const
  const spans = [
    { name: 'the last hours', from: end - 4 * hourMs, to: end },
    { name: 'days without answers', from: T0 + 11 * dayMs, to: T0 + 14 * dayMs },
    { name: 'days with an odd begin and end', from: T0 + 3 * dayMs + 12_345, to: T0 + 8 * dayMs + 54_321 },
  ]

  test.each(
    figures.flatMap((figure) =>
      spans.map((span) => ({ figure, span, name: `${figure[0]} ${figure[1]}, ${span.name}` })),
    ),
  )('[N 5] every sample and gap: $name', async ({ figure: [kind, name, ids], span: { from, to } }) => {
    const things = ids.map((id) => stores.thing(kind, id))
    const field = stores.field(kind, name)
    const { embedded, remote } = await both(({ samples }) => samples.samples(field, things, from, to))
    expect(embedded.flat().length).toBeGreaterThan(300)
    expect(remote).toEqual(embedded)
    const ticks = await both(({ samples }) => samples.ticks(from, to))
    expect(ticks.remote).toEqual(ticks.embedded)
    const last = await both(({ samples }) => samples.last('raw', field, things, to - 2 * hourMs, to))
    expect(last.remote).toEqual(last.embedded)
  })

  test.each(
    (['minute', 'quarter', 'day'] as const).flatMap((tier) =>
      figures.map((figure) => ({ tier, figure, name: `${figure[0]} ${figure[1]} by ${tier}` })),
    ),
  )(
    '[N 5] the lowest, mean, highest and last of each period: $name',
    async ({ tier, figure: [kind, name, ids] }) => {
      const things = ids.map((id) => stores.thing(kind, id))
      const field = stores.field(kind, name)
      const found = await both(({ samples }) => samples.buckets(tier, field, things, T0, end))
      for (const [n, expected] of found.embedded.entries()) {
        const own = found.remote[n]!
        expect(expected.length).toBeGreaterThan(25)
        expect(own.map(({ start }) => start)).toEqual(expected.map(({ start }) => start))
        for (const [at, { bucket }] of expected.entries()) {
          const other = own[at]!.bucket
          if (!isSummary(bucket) || !isSummary(other)) expect(other).toEqual(bucket)
          else {
            const { mean, ...rest } = bucket
            expect(other).toMatchObject(rest)
            expect(Math.abs(other.mean - mean)).toBeLessThanOrEqual(2)
          }
        }
      }
    },
  )

  test('[N 5] trends of the last hour', async () => {
    const things = guests.map((id) => stores.thing('guests', id))
    const from = end - 60 * minuteMs
    const { embedded, remote } = await both(({ samples }) =>
      samples.trends(stores.field('guests', 'cpu'), things, from, 60, 1),
    )
    expect(remote.tops).toEqual(embedded.tops)
    for (const [n, level] of embedded.levels.entries())
      expect(Math.abs(remote.levels[n]! - level)).toBeLessThanOrEqual(1)
  })

  test.each(['raw', 'minute', 'quarter', 'day'] as const)('[N 5] charts by %s', async (tier) => {
    const [from, to] = tier === 'raw' ? [end - hourMs, end + 1] : [T0 + 1_234_567, end + 1]
    const chart = (file: HistoryFile) =>
      chartsIn(file, {
        kind: 'guests',
        records: [...guests, 'main:none'].map((id) => ({ id, shown: id })),
        lines: ['cpu', 'networkIn'].map((name) => ({
          name,
          field: stores.field('guests', name),
          unit: figureOf('guests', name).unit,
        })),
        tier,
        from,
        to,
        most: 120,
      })
    const { embedded, remote } = await both(chart)
    expect(JSON.parse(`{${Buffer.from(remote.json).toString()}}`)).toEqual(
      JSON.parse(`{${Buffer.from(embedded.json).toString()}}`),
    )
    expect(remote.oldest).toBe(embedded.oldest)
  })

  test.each([
    { tier: 'raw', from: end - 3 * hourMs, most: 400 },
    { tier: 'raw', from: T0 + 5 * dayMs, most: 50 },
    { tier: 'minute', from: T0 + 4 * dayMs, most: 400 },
    { tier: 'quarter', from: T0 + 333_333, most: 200 },
    { tier: 'day', from: T0, most: 400 },
  ] as const)('[N 5] series with their gaps by $tier', async ({ tier, from, most }) => {
    const series = async (file: HistoryFile) =>
      JSON.parse(
        Buffer.from(
          await seriesIn(file, {
            kind: 'guests',
            records: [...guests, 'main:none'].map((id) => ({ id, shown: id })),
            fields: ['cpu', 'memory'].map((name) => ({
              name,
              field: stores.field('guests', name),
              unit: figureOf('guests', name).unit,
            })),
            pulseField: stores.field('meta', 'liveClients'),
            tier,
            from,
            to: end,
            until: end,
            asOf: end,
            most,
          }),
        ).toString(),
      ) as HistorySeries[]
    const { embedded, remote } = await both(series)
    for (const [n, { points, gaps, ...about }] of embedded.entries()) {
      const own = remote[n]!
      expect(own).toMatchObject(about)
      expect(own.gaps).toEqual(gaps)
      expect(own.points).toHaveLength(points.length)
      for (const [at, { mean, ...rest }] of points.entries()) {
        expect(own.points[at]).toMatchObject(rest)
        expect(own.points[at]!.mean).toBeCloseTo(mean, about.field === 'cpu' ? 2 : 1)
      }
    }
  })

  test('[N 5] forecasts', async () => {
    const { embedded, remote } = await both((file) =>
      forecastsIn(file, {
        kind: 'storage',
        ids: [...storages, 'main:none'],
        field: stores.field('storage', 'usage'),
        now: end,
        fullPercent: 100,
      }),
    )
    expect(embedded.filter((one) => one?.fullAt !== undefined)).toHaveLength(3)
    for (const [n, one] of embedded.entries()) {
      if (one?.fullAt === undefined) expect(remote[n]).toEqual(one)
      else expect(Math.abs(remote[n]!.fullAt! - one.fullAt)).toBeLessThan(6 * hourMs)
    }
  })

  test.each(['raw', 'minute'] as const)('[N 5] what grew, by %s', async (tier) => {
    const { embedded, remote } = await both((file) =>
      edgeValuesIn(file, {
        kind: 'storage',
        ids: storages,
        field: stores.field('storage', 'used'),
        tier,
        from: end - 5 * dayMs,
        to: end,
        edgeMs: 15 * minuteMs,
      }),
    )
    expect(embedded.every((one) => one !== undefined)).toBe(true)
    expect(remote).toEqual(embedded)
  })

  test('[N 5] a back-test finds the same alerts, in minutes and in samples', async () => {
    const play = (file: HistoryFile) => {
      const things = guests.map((key, g): PlayedThing => {
        const record = playedRecord('guests', 'cpu', aGuest({ vmid: 100 + g, name: `guest ${g}` }))
        return {
          field: stores.field('guests', 'cpu'),
          number: stores.thing('guests', key),
          key,
          record: record as PlayedThing['record'],
        }
      })
      const request = {
        kind: 'guests',
        metric: 'cpu',
        config: { ...alertDefaults, activationState: 'active' },
        things,
        neighbours: new Map(),
        from: end - 14 * dayMs,
        to: end,
        rawFrom: denseFrom,
      } as const
      return createBackTests().run('ann', atOnce(toSent(request)), file.samples)
    }
    const { embedded, remote } = await both(play)
    expect(embedded!.total).toBeGreaterThan(10)
    expect(remote).toEqual(embedded)
  })

  test('[N 5] figures of a past state', async () => {
    const log = (at: number) =>
      stores.both(({ past }) =>
        past.answer({
          id: 0,
          do: 'log',
          now: at,
          entries: guests.map((id) => ({
            at,
            kind: 'guests' as const,
            id,
            do: 'put' as const,
            fields: { name: id, type: 'qemu', source: 'main' },
          })),
        }),
      )
    log(end - 2 * hourMs)
    const query = { at: end - hourMs, slice: 'live', tier: 'raw', gzip: false } as const
    const { embedded, remote } = await both(async ({ past }) => {
      const result = await past.answer({ id: 0, do: 'state', query })
      return result.do === 'state' ? (JSON.parse(Buffer.from(result.body!).toString()) as unknown) : undefined
    })
    expect(JSON.stringify(embedded)).toContain('"cpu":')
    expect(remote).toEqual(embedded)
  })
})
