import type { Forecast, RecordKind } from '@pulse/contract'
import {
  type BackTestRequest,
  type BackTestResult,
  type Clock,
  type Levels,
  precisionOf,
  type SampledField,
} from '@pulse/domain'
import type {
  ChartsAsked,
  ChartsPart,
  EdgeValues,
  EdgeValuesAsked,
  HistoryRequest,
  HistoryResult,
  SeriesAsked,
} from '../db/history/messages.ts'
import { toSent } from '../db/history/sent-back-test.ts'
import { runYielding } from '../timing/yield.ts'
import type { WithoutId } from '../worker-thread.ts'

export type Ask = <D extends HistoryResult['do']>(
  what: Extract<Asked, { do: D }>,
) => Promise<Extract<HistoryResult, { do: D }>>

export type Asked = WithoutId<HistoryRequest>

export interface HistoryQueries {
  /** What was measured first and last in a time; undefined for a record without values. */
  edgeValues(
    field: SampledField,
    ids: readonly string[],
    span: Pick<EdgeValuesAsked, 'tier' | 'from' | 'to' | 'edgeMs'>,
  ): Promise<(EdgeValues | undefined)[]>
  /** The lines of some records as JSON. */
  charts(
    kind: RecordKind,
    records: ChartsAsked['records'],
    lines: readonly (Omit<ChartsAsked['lines'][number], 'field' | 'unit'> & { field: SampledField })[],
    span: Pick<ChartsAsked, 'tier' | 'from' | 'to' | 'most'>,
  ): Promise<ChartsPart>
  /** The points and gaps of some figures of some records as JSON. */
  series(
    kind: RecordKind,
    records: SeriesAsked['records'],
    fields: readonly SampledField[],
    span: Pick<SeriesAsked, 'tier' | 'from' | 'to' | 'until' | 'most' | 'asOf'>,
  ): Promise<Uint8Array>
  /** The mean of each minute from then on, of those records that have history. */
  trends(
    field: SampledField,
    ids: readonly string[],
    from: number,
    minutes: number,
    leastTop: number,
  ): Promise<Levels & { ids: string[] }>
  /** When each of these records will be full; undefined for a record without history. */
  forecasts(
    field: SampledField,
    ids: readonly string[],
    fullPercent: number,
  ): Promise<(Forecast | undefined)[]>
  /** Undefined if a later one of the same user has replaced it. */
  backTest(user: string, request: BackTestRequest): Promise<BackTestResult | undefined>
  /** The number of a figure in the file. */
  fieldOf(figure: Pick<SampledField, 'kind' | 'name'>): Promise<number>
}

interface QueryEdges {
  ask: Ask
  /** The number of a field in the file. Rejects with `history_unavailable`. */
  numberOf: (field: Pick<SampledField, 'kind' | 'name'>) => Promise<number>
  clock: Clock
}

/** The questions to the thread that name figures and records. */
export function createQueries({ ask, numberOf, clock }: QueryEdges): HistoryQueries {
  /** by user, while it is prepared */
  const newest = new Map<string, BackTestRequest>()

  return {
    async edgeValues({ kind, name, unit }, ids, span) {
      const field = await numberOf({ kind, name })
      const { values } = await ask({ do: 'edgeValues', kind, ids, field, ...span })
      const { fromStored } = precisionOf[unit]
      return values.map((one) => one && { first: fromStored(one.first), last: fromStored(one.last) })
    },
    async charts(kind, records, lines, span) {
      const numbered: ChartsAsked['lines'][number][] = []
      for (const { field, ...line } of lines)
        numbered.push({ ...line, field: await numberOf(field), unit: field.unit })
      return (await ask({ do: 'charts', kind, records, lines: numbered, ...span })).part
    },
    async series(kind, records, fields, span) {
      const numbered: SeriesAsked['fields'][number][] = []
      for (const { name, unit, ...field } of fields)
        numbered.push({ name, unit, field: await numberOf({ ...field, name }) })
      const pulseField = await numberOf({ kind: 'meta', name: 'liveClients' })
      return (await ask({ do: 'series', kind, records, fields: numbered, pulseField, ...span })).json
    },
    async trends(field, ids, from, minutes, leastTop) {
      const number = await numberOf(field)
      const { kind } = field
      const { known, trends } = await ask({ do: 'trends', kind, ids, field: number, from, minutes, leastTop })
      return { ids: known.map((n) => ids[n]!), ...trends }
    },
    async forecasts(field, ids, fullPercent) {
      const number = await numberOf(field)
      const { kind } = field
      return (await ask({ do: 'forecasts', kind, ids, field: number, now: clock.now(), fullPercent }))
        .forecasts
    },
    async backTest(user, request) {
      // A small one is prepared faster than a large one before it.
      newest.set(user, request)
      const sent = await runYielding(toSent(request))
      if (newest.get(user) !== request) return undefined
      newest.delete(user)
      return (await ask({ do: 'backTest', user, request: sent })).played
    },
    fieldOf: numberOf,
  }
}
