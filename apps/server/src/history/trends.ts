import {
  type FigureUnit,
  getHistoryTrends,
  type HistoryTrends,
  type RecordKind,
  type Trend,
  trendPoints,
} from '@pulse/contract'
import {
  type Clock,
  type Levels,
  noLevel,
  type SampledField,
  sampledFields,
  type Tables,
} from '@pulse/domain'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { AppError } from '../app-error.ts'
import { acceptsGzip, RawReply, route, type Route } from '../http/route.ts'
import type { History } from './history.ts'

const gzip = promisify(zlib.gzip)
const minuteMs = 60_000

export interface TrendEdges {
  history: Pick<History, 'trends' | 'figures'>
  /** the externally visible ones */
  tables: Tables
  clock: Clock
}

/** A figure that stays below this value is drawn against it, so that a load of 3 % looks small. */
const leastTop: Partial<Record<FigureUnit, number>> = { ratio: 1, percent: 100, '°C': 100 }

/** The last hour of one figure, of all things of its kind. */
type Column = Awaited<ReturnType<History['trends']>>

interface Cached {
  /** Between two ticks nothing changes, except the minute that is the current one. */
  key: string
  column: Promise<Column>
}

/** Answers every browser that shows trends from one reading per figure and tick. */
export function trendsRoute({ history, tables, clock }: TrendEdges): Route {
  const cached = new Map<SampledField, Cached>()

  function columnOf(field: SampledField, from: number): Promise<Column> {
    const { ticks, held } = history.figures()
    const key = `${ticks + held} ${from}`
    const known = cached.get(field)
    if (known?.key === key) return known.column
    const ids = [...tables[field.kind].keys()]
    const column = history.trends(field, ids, from, trendPoints.minutes, leastTop[field.unit] ?? 0)
    cached.set(field, { key, column })
    column.catch(() => cached.get(field)?.column === column && cached.delete(field))
    return column
  }

  async function read(fields: readonly SampledField[]): Promise<HistoryTrends> {
    const { kind } = fields[0]!
    const from = (Math.floor(clock.now() / minuteMs) - trendPoints.minutes + 1) * minuteMs
    const columns = await Promise.all(fields.map((field) => columnOf(field, from)))
    const rows = columns.map(({ ids }) => new Map(ids.map((id, row) => [id, row])))
    // Records may be hidden or removed at any time, also within a tick.
    const ids = [...tables[kind].keys()].filter((id) => rows.every((own) => own.has(id)))
    return {
      from,
      ids,
      fields: Object.fromEntries(
        fields.map(({ name, unit }, n) => [
          name,
          {
            unit,
            ...writeTrend(
              columns[n]!,
              ids.map((id) => rows[n]!.get(id)!),
            ),
          },
        ]),
      ),
    }
  }

  return route(getHistoryTrends, async ({ query, caller }) => {
    const answer = await read(fieldsOf(query.kind as RecordKind, query.fields))
    if (!acceptsGzip(caller)) return answer
    const headers = { 'content-encoding': 'gzip', vary: 'accept-encoding' }
    return new RawReply(await gzip(JSON.stringify(answer)), headers)
  })
}

function fieldsOf(kind: RecordKind, text: string): readonly SampledField[] {
  const names = text.split(',').filter(Boolean)
  const { mostFields } = trendPoints
  if (names.length === 0 || names.length > mostFields)
    throw new AppError(
      'validation_failed',
      `fields: Name between one and ${mostFields}, separated by commas.`,
    )
  return names.map((name) => {
    const field = sampledFields.find((one) => one.kind === kind && one.name === name)
    if (field) return field
    throw new AppError('validation_failed', `fields: ${kind} have no history of "${name.slice(0, 100)}".`)
  })
}

const codes = new Uint8Array(noLevel + 1).fill(trendPoints.none.charCodeAt(0))
for (const [level, character] of [...trendPoints.levels].entries()) codes[level] = character.charCodeAt(0)

/** The trends of these rows, with one character per level. */
export function writeTrend(
  { levels, tops }: Levels,
  rows: readonly number[],
): Pick<Trend, 'points' | 'tops'> {
  const { minutes } = trendPoints
  const points = Buffer.alloc(rows.length * minutes)
  for (const [n, row] of rows.entries())
    for (let minute = 0; minute < minutes; minute++)
      points[n * minutes + minute] = codes[levels[row * minutes + minute]!]!
  return { points: points.toString('latin1'), tops: rows.map((row) => rounded(tops[row]!)) }
}

/** More digits than the levels have would only make the answer longer. */
const rounded = (top: number): number => Number(top.toPrecision(4))
