import type { FigureUnit, HistorySeries, HistoryTier, RecordKind } from '@pulse/contract'
import {
  bucketGaps,
  bucketPoints,
  precisionOf,
  type SampledField,
  sampledFields,
  sampleGaps,
  thinnedPoints,
  tierFor,
} from '@pulse/domain'
import { type ChartEdges, fieldOf } from './charts.ts'

/** Enough for a chart of the full width. */
const usualPoints = 400

/** Of one answer. More would block everything else for too long. */
const mostPoints = 20_000

/** Pulse itself: where it has no samples, Pulse was off. */
const self = { field: fieldOf('meta', 'liveClients'), id: 'meta' }

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
  { kind, ids, fields, from, to, points: wanted = usualPoints }: SeriesQuery,
): Promise<{ tier: HistoryTier; from: number; to: number; series: HistorySeries[] }> {
  const points = Math.min(wanted, Math.floor(mostPoints / (ids.length * fields.length)))
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
