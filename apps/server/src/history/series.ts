import type { RecordKind } from '@pulse/contract'
import { tierFor } from '@pulse/domain'
import { type ChartEdges, fieldOf } from './charts.ts'

/** Enough for a chart of the full width. */
const usualPoints = 400

/** Of one answer. More would block everything else for too long. */
const mostPoints = 20_000

export interface SeriesQuery {
  kind: RecordKind
  ids: readonly string[]
  /** figures that are sampled */
  fields: readonly string[]
  from: number
  to: number
  /** which thing an id means: the last one that came to have it before this time */
  asOf?: number | undefined
  points?: number | undefined
}

/** The past of some figures of some records of a kind, as JSON. */
export async function readSeries(
  { history, clock, reachMs }: ChartEdges,
  { kind, ids, fields, from, to, asOf = to, points = usualPoints }: SeriesQuery,
): Promise<Buffer> {
  const most = Math.min(points, Math.floor(mostPoints / (ids.length * fields.length)))
  const now = clock.now()
  const tier = tierFor(from, to, most, now, reachMs())
  const figures = fields.map((name) => fieldOf(kind, name))
  const records = ids.map((id) => ({ id, shown: id }))
  // What has not happened yet is no gap.
  const until = Math.min(to, now)
  const series = await history.series(kind, records, figures, { tier, from, to, until, most, asOf })
  const head = JSON.stringify({ tier, from, to }).slice(0, -1)
  return Buffer.concat([Buffer.from(`${head},"series":`), series, Buffer.from('}')])
}
