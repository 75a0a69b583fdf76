import { absent, isSample, precisionOf, type SampledField } from '@pulse/domain'
import pLimit from 'p-limit'
import { type AnsweredSeries, readMatrix } from './answer.ts'
import type { CallStore } from './call.ts'
import { gapSelectorOf, partsOf, selectorOf } from './promql.ts'
import { gapCodes } from './series.ts'

/** Of one question. */
const usualLimitMs = 15_000
const atOnce = 4
/** Of one answer: about 3 MB. */
const mostPoints = 100_000
/** Prometheus refuses more points per series. */
const mostSteps = 10_000
const tickMs = 10_000

/** Points of a series, as stored values. */
export interface IdSeries {
  times: Float64Array
  values: Float64Array
}

/** Takes the points of one series. The parts of a series come in the order of time. */
export type TakeSeries = (id: string, series: IdSeries) => void

export type Rollup = 'min' | 'avg' | 'max' | 'last' | 'count'

/** Periods one after another. */
export interface Periods {
  /** start of the first one, in ms since 1970 */
  first: number
  count: number
  lengthMs: number
}

export interface Queries {
  /** All samples of a figure and its gaps, from `from` on and before `to`. */
  samples(
    field: SampledField,
    ids: readonly string[],
    from: number,
    to: number,
    take: TakeSeries,
  ): Promise<void>
  /** One value per period that has samples; its time is the start of the period. */
  rollup(
    how: Rollup,
    field: SampledField,
    ids: readonly string[],
    periods: Periods,
    take: TakeSeries,
  ): Promise<void>
  /** The code of the last gap of each period. */
  gaps(field: SampledField, ids: readonly string[], periods: Periods, take: TakeSeries): Promise<void>
}

/** Asks in parts, so that each answer is small. */
export function createQueries(call: CallStore, limitMs = usualLimitMs): Queries {
  const limit = pLimit(atOnce)

  const ask = (path: string, parameters: Record<string, string>): Promise<AnsweredSeries[]> =>
    limit(() =>
      call({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        // VictoriaMetrics moves start and end to multiples of the step, unless its cache is off.
        body: new URLSearchParams({ ...parameters, nocache: '1' }).toString(),
        limitMs,
        read: readMatrix,
      }),
    )

  /** A range of Prometheus before version 3 includes its beginning, which is taken away here. */
  async function raw(selector: string, from: number, to: number, take: (one: AnsweredSeries) => void) {
    const query = `${selector}[${to - from}ms]`
    for (const one of await ask('/api/v1/query', { query, time: seconds(to - 1) })) {
      const [begin, end] = [one.times.findIndex((at) => at >= from), one.times.findLastIndex((at) => at < to)]
      if (begin < 0 || end < begin) continue
      take({ ...one, times: one.times.subarray(begin, end + 1), values: one.values.subarray(begin, end + 1) })
    }
  }

  async function steps(
    query: string,
    { first, count, lengthMs }: Periods,
    take: (one: AnsweredSeries) => void,
  ) {
    // at the last moment of each period: a range begins after its beginning
    const start = first + lengthMs - 1
    const found = await ask('/api/v1/query_range', {
      query,
      start: seconds(start),
      end: seconds(start + (count - 1) * lengthMs),
      step: seconds(lengthMs),
    })
    for (const one of found) {
      if (one.times.some((at) => (at - start) % lengthMs !== 0))
        throw new Error('the store answers with other times than it was asked for')
      take({ ...one, times: one.times.map((at) => at - lengthMs + 1) })
    }
  }

  async function inParts(
    ids: readonly string[],
    periods: Periods,
    queryOf: (ids: readonly string[], lengthMs: number) => string,
    take: (one: AnsweredSeries) => void,
  ) {
    const { first, count, lengthMs } = periods
    const own = Math.min(count, mostSteps)
    const parts = [...partsOf(ids, Math.max(1, Math.floor(mostPoints / own)))]
    for (let done = 0; done < count; done += own) {
      const some = { first: first + done * lengthMs, count: Math.min(own, count - done), lengthMs }
      await Promise.all(parts.map((part) => steps(queryOf(part, lengthMs), some, take)))
    }
  }

  return {
    async samples(field, ids, from, to, take) {
      const { toStored } = precisionOf[field.unit]
      const known = new Map<string, { values: IdSeries[]; gaps: IdSeries[] }>()
      const listsOf = (id: string) => {
        const lists = known.get(id) ?? { values: [], gaps: [] }
        known.set(id, lists)
        return lists
      }
      const spanMs = mostPoints * tickMs
      for (let begin = from; begin < to; begin += spanMs) {
        const end = Math.min(to, begin + spanMs)
        const most = Math.max(1, Math.floor(spanMs / (end - begin)))
        await Promise.all(
          [...partsOf(ids, most)].flatMap((part) => [
            raw(selectorOf(field, part), begin, end, ({ id, times, values }) =>
              listsOf(id).values.push({ times, values: values.map(toStored) }),
            ),
            raw(gapSelectorOf(field, part), begin, end, ({ id, times, values }) =>
              listsOf(id).gaps.push({ times, values: values.map(gapOf) }),
            ),
          ]),
        )
        for (const [id, { values, gaps }] of known) take(id, merged([...gaps, ...values]))
        known.clear()
      }
    },
    rollup(how, field, ids, periods, take) {
      const { toStored } = how === 'count' ? precisionOf.count : precisionOf[field.unit]
      return inParts(
        ids,
        periods,
        (part, lengthMs) => `${how}_over_time(${selectorOf(field, part)}[${lengthMs}ms])`,
        ({ id, times, values }) => take(id, { times, values: values.map(toStored) }),
      )
    },
    gaps: (field, ids, periods, take) =>
      inParts(
        ids,
        periods,
        (part, lengthMs) => `last_over_time(${gapSelectorOf(field, part)}[${lengthMs}ms])`,
        ({ id, times, values }) => take(id, { times, values: values.map(gapOf) }),
      ),
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

const gapOf = (code: number): number => (code === gapCodes.stopped ? absent.stopped : absent.silent)

/** All points in the order of time. Of the same time the last one counts: a request may have been sent twice. */
function merged(lists: readonly IdSeries[]): IdSeries {
  const [only, second] = lists
  const isPlain =
    only !== undefined &&
    second === undefined &&
    only.times.every((at, n) => n === 0 || at > only.times[n - 1]!)
  if (isPlain) return only
  const byTime = new Map<number, number>()
  for (const { times, values } of lists)
    for (const [n, at] of times.entries())
      if (isSample(values[n]!) || !byTime.has(at)) byTime.set(at, values[n]!)
  const times = Float64Array.from(byTime.keys()).toSorted()
  return { times, values: times.map((at) => byTime.get(at)!) }
}
