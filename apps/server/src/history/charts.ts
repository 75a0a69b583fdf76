import {
  chartRanges,
  type ChartPoint,
  type Charts,
  type FigureUnit,
  type HistorySeries,
  type HistoryTier,
  type RecordKind,
  type StorageCharts,
} from '@pulse/contract'
import {
  bucketGaps,
  bucketPoints,
  type Clock,
  downSample,
  type KeepMs,
  type Point,
  precisionOf,
  type SampledField,
  sampledFields,
  sampleGaps,
  samplePoints,
  type Tables,
  thinnedPoints,
  tierFor,
} from '@pulse/domain'
import type { History } from './history.ts'

const minuteMs = 60_000
/** Points per line of the documented charts. A page is narrower than that. */
const mostPoints = 120
/** Enough for a chart of the full width. */
const usualPoints = 400

export interface ChartEdges {
  history: Pick<History, 'samples' | 'buckets'>
  tables: Tables
  clock: Clock
  /** how long each tier is kept, by the current settings */
  keepMs: () => KeepMs
}

const fieldOf = (kind: RecordKind, name: string): SampledField =>
  sampledFields.find((field) => field.kind === kind && field.name === name)!

/** Pulse itself: where it has no samples, Pulse was off. */
const self = { field: fieldOf('meta', 'liveClients'), id: 'meta' }

/** The charts of Pulse 4.x: all lines of all things at once. */
export function createCharts({ history, tables, clock, keepMs }: ChartEdges) {
  /** The line of each record, in percent or in the unit of the figure. */
  async function lines(
    kind: RecordKind,
    name: string,
    from: number,
    to: number,
  ): Promise<Map<string, ChartPoint[]>> {
    const field = fieldOf(kind, name)
    const ids = [...tables[kind].keys()]
    const tier = tierFor(from, to, mostPoints, clock.now(), keepMs())
    const precision = precisionOf[field.unit]
    const factor = field.unit === 'ratio' ? 100 : 1
    const all =
      tier === 'raw'
        ? (await history.samples(field, ids, from, to)).map((samples) => samplePoints(samples, precision))
        : (await history.buckets(field, ids, tier, from, to)).map((buckets) =>
            bucketPoints(buckets, tier, { from, to, most: mostPoints }, precision),
          )
    const shown = all.map((points) =>
      downSample(
        points.map(({ at, max }): Point => ({ at, value: max * factor })),
        mostPoints,
      ).map(({ at, value }) => ({ timestamp: at, value })),
    )
    return new Map(ids.map((id, n) => [id, shown[n]!]))
  }

  /** Each thing under the id that the documented state has for it. */
  async function of(
    kind: 'guests' | 'nodes' | 'storage',
    names: Readonly<Record<string, string>>,
    from: number,
    to: number,
  ): Promise<Record<string, Record<string, ChartPoint[]>>> {
    const byName: [string, Map<string, ChartPoint[]>][] = []
    for (const [shown, name] of Object.entries(names)) byName.push([shown, await lines(kind, name, from, to)])
    return Object.fromEntries(
      [...(tables[kind] as ReadonlyMap<string, { id: string }>)].map(([key, { id }]) => [
        id,
        Object.fromEntries(byName.map(([shown, byKey]) => [shown, byKey.get(key) ?? []])),
      ]),
    )
  }

  const rangeOf = (minutes: number) => {
    const to = clock.now()
    return [to - minutes * minuteMs, to + 1] as const
  }
  const machine = { cpu: 'cpu', memory: 'memory', disk: 'disk' }
  const rates = { diskread: 'diskRead', diskwrite: 'diskWrite', netin: 'networkIn', netout: 'networkOut' }

  return {
    async all(range: string | undefined): Promise<Charts> {
      const minutes = chartRanges[(range ?? '1h') as keyof typeof chartRanges] ?? chartRanges['1h']
      const [from, to] = rangeOf(minutes)
      const data = await of('guests', { ...machine, ...rates }, from, to)
      const nodeData = await of('nodes', machine, from, to)
      const storageData = await of('storage', { disk: 'usage' }, from, to)
      const times = [data, nodeData, storageData].flatMap((some) =>
        Object.values(some).flatMap((charts) =>
          Object.values(charts).map(([first]) => first?.timestamp ?? Infinity),
        ),
      )
      const oldest = times.reduce((least, time) => Math.min(least, time), Infinity)
      return {
        data: data as Charts['data'],
        nodeData: nodeData as Charts['nodeData'],
        storageData: storageData as Charts['storageData'],
        timestamp: Math.floor(clock.now() / 1000),
        stats: { oldestDataTimestamp: oldest === Infinity ? clock.now() : oldest },
      }
    },

    /** Sizes are not sampled: they are what the storage has now. */
    async storages(range: string | undefined): Promise<StorageCharts> {
      const minutes = Number(range)
      const [from, to] = rangeOf(Number.isFinite(minutes) && minutes > 0 ? Math.min(minutes, 525_600) : 60)
      const charts = await of('storage', { usage: 'usage', used: 'used' }, from, to)
      const byId = new Map([...tables.storage.values()].map((storage) => [storage.id, storage]))
      return Object.fromEntries(
        Object.entries(charts).map(([id, { usage = [], used = [] }]) => {
          const { total } = byId.get(id)!
          const along = (value: (used: number) => number) =>
            used.map((point) => ({ timestamp: point.timestamp, value: value(point.value) }))
          return [
            id,
            {
              usage,
              used,
              total: total === undefined ? [] : along(() => total),
              avail: total === undefined ? [] : along((taken) => Math.max(0, total - taken)),
            },
          ]
        }),
      )
    },
  }
}

export interface SeriesQuery {
  kind: RecordKind
  ids: readonly string[]
  fields: readonly string[]
  from: number
  to: number
  points?: number | undefined
}

/** The past of some figures of some records of a kind. */
export async function readSeries(
  { history, clock, keepMs }: ChartEdges,
  { kind, ids, fields, from, to, points = usualPoints }: SeriesQuery,
): Promise<{ tier: HistoryTier; from: number; to: number; series: HistorySeries[] }> {
  const tier = tierFor(from, to, points, clock.now(), keepMs())
  // What has not happened yet is no gap.
  const until = Math.min(to, clock.now())
  const series: HistorySeries[] = []
  for (const name of fields) {
    const field = sampledFields.find((one) => one.kind === kind && one.name === name)
    if (!field) continue
    for (const [n, one] of (
      await readField(history, field, { ids, from, to, until, points, tier })
    ).entries())
      series.push({ id: ids[n]!, field: name, unit: field.unit satisfies FigureUnit, ...one })
  }
  return { tier, from, to, series }
}

interface Wanted {
  ids: readonly string[]
  from: number
  to: number
  until: number
  points: number
  tier: HistoryTier
}

async function readField(
  history: ChartEdges['history'],
  field: SampledField,
  { ids, from, to, until, points, tier }: Wanted,
): Promise<Pick<HistorySeries, 'points' | 'gaps'>[]> {
  const precision = precisionOf[field.unit]
  if (tier === 'raw') {
    const [ran] = await history.samples(self.field, [self.id], from, to)
    const times = ran!.map(({ at }) => at)
    const all = await history.samples(field, ids, from, to)
    return all.map((samples) => ({
      points: thinnedPoints(samples, { from, to, most: points }, precision),
      gaps: sampleGaps(samples, times, from, until),
    }))
  }
  const [ran] = await history.buckets(self.field, [self.id], tier, from, to)
  const starts = new Set(ran!.map(({ start }) => start))
  const all = await history.buckets(field, ids, tier, from, to)
  return all.map((buckets) => ({
    points: bucketPoints(buckets, tier, { from, to, most: points }, precision),
    gaps: bucketGaps(buckets, starts, tier, from, until),
  }))
}
