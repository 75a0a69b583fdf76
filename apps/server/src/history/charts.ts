import { chartRanges, type RecordKind } from '@pulse/contract'
import {
  type Clock,
  type KeepMs,
  type SampledField,
  sampledFields,
  type Tables,
  tierFor,
} from '@pulse/domain'
import type { History } from './history.ts'

const minuteMs = 60_000
/** Points per line of the documented charts. A page is narrower than that. */
const mostPoints = 120
/** The lines of more records at a time would take too much memory. */
const recordsPerPart = 160

export interface ChartEdges {
  history: Pick<History, 'charts' | 'series'>
  tables: Tables
  clock: Clock
  /** how long each tier reaches back */
  reachMs: () => KeepMs
}

export const fieldOf = (kind: RecordKind, name: string): SampledField =>
  sampledFields.find((field) => field.kind === kind && field.name === name)!

type ChartedKind = 'guests' | 'nodes' | 'storage'
/** the name in the answer, and that of the figure */
type Names = Readonly<Record<string, string>>

const machine = { cpu: 'cpu', memory: 'memory', disk: 'disk' }
const space = { usage: 'usage', used: 'used', total: 'size', avail: 'available' }
const rates = { diskread: 'diskRead', diskwrite: 'diskWrite', netin: 'networkIn', netout: 'networkOut' }

interface Span {
  from: number
  to: number
  oldest: number
}

/**
 * The charts of Pulse 4.x: all lines of all things at once. The answer is JSON in parts: the lines of a large estate
 * have millions of points, so the thread of the history makes the text, and at most one part is in memory.
 */
export function createCharts({ history, tables, clock, reachMs }: ChartEdges) {
  async function* objectOf(
    kind: ChartedKind,
    names: Names,
    span: Span,
  ): AsyncGenerator<string | Uint8Array, void> {
    const { from, to } = span
    const tier = tierFor(from, to, mostPoints, clock.now(), reachMs())
    const lines = Object.entries(names).map(([name, figure]) => ({ name, field: fieldOf(kind, figure) }))
    const records = [...(tables[kind] as ReadonlyMap<string, { id: string }>)].map(
      // each thing under the id that the documented state has for it
      ([id, { id: shown }]) => ({ id, shown }),
    )
    yield '{'
    for (let n = 0; n < records.length; n += recordsPerPart) {
      const own = records.slice(n, n + recordsPerPart)
      const part = await history.charts(kind, own, lines, { tier, from, to, most: mostPoints })
      span.oldest = Math.min(span.oldest, part.oldest ?? Infinity)
      if (n > 0) yield ','
      yield part.json
    }
    yield '}'
  }

  const spanOf = (minutes: number): Span => {
    const to = clock.now()
    return { from: to - minutes * minuteMs, to: to + 1, oldest: Infinity }
  }

  return {
    async *all(range: string | undefined): AsyncGenerator<string | Uint8Array, void> {
      const known = range !== undefined && Object.hasOwn(chartRanges, range)
      const span = spanOf(chartRanges[known ? (range as keyof typeof chartRanges) : '1h'])
      yield '{"data":'
      yield* objectOf('guests', { ...machine, ...rates }, span)
      yield ',"nodeData":'
      yield* objectOf('nodes', machine, span)
      yield ',"storageData":'
      yield* objectOf('storage', { disk: 'usage' }, span)
      const now = clock.now()
      const stats = { oldestDataTimestamp: Math.min(span.oldest, now) }
      yield `,${JSON.stringify({ timestamp: now, stats }).slice(1)}`
    },

    storages(range: string | undefined): AsyncGenerator<string | Uint8Array, void> {
      const minutes = Number(range)
      const span = spanOf(Number.isFinite(minutes) && minutes > 0 ? Math.min(minutes, 525_600) : 60)
      return objectOf('storage', space, span)
    },
  }
}
