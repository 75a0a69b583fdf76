import { META_ID, type RecordKind } from '@pulse/contract'
import {
  absent,
  type Bucket,
  type BucketTier,
  downSample,
  type IdSpan,
  isSample,
  mergeSamples,
  MinuteMeans,
  precisionOf,
  type Precision,
  type SampledField,
  sampledFields,
  type SampleReads,
  type Samples,
  samplesOf,
  type Step,
  type TimedBucket,
} from '@pulse/domain'
import type { IdSeries, Periods, Queries, Rollup } from './queries.ts'
import { idLabel } from './series.ts'

/** The moment of a sample. */
const sampleMs = 1
const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const lengths: Record<BucketTier, number> = { minute: minuteMs, quarter: quarterMs, day: 24 * 60 * minuteMs }
/** Quarter hours are read for so many things at a time. */
const thingsPerStep = 100

const pulse = sampledFields.find(({ kind, name }) => kind === 'meta' && name === 'liveClients')!

export interface RemoteReadEdges {
  queries: Queries
  /** undefined: a figure that an older version had */
  fieldOf: (number: number) => SampledField | undefined
  /** All ids of a thing, and the time in which each meant it. */
  spansOf: (kind: RecordKind, number: number) => IdSpan[]
}

/** The samples of a store behind a network, for the numbers that history.db has for figures and things. */
export function createRemoteReads({ queries, fieldOf, spansOf }: RemoteReadEdges): SampleReads {
  /** Which things had the id of a label, and when. */
  function ownersOf(field: SampledField, things: readonly number[]) {
    const ids = new Set<string>()
    const byLabel = new Map<string, { thing: number; from: number; to: number }[]>()
    for (const thing of things)
      for (const { id, from, to } of spansOf(field.kind, thing)) {
        ids.add(id)
        const label = idLabel(id)
        const owners = byLabel.get(label) ?? []
        byLabel.set(label, owners)
        owners.push({ thing, from, to })
      }
    /**
     * Hands the points of a series to the things that had its id then, each of so many ms. A period in which the id
     * changed hands belongs to none of them, because it has samples of both.
     */
    const handOut = (
      lengthMs: number,
      label: string,
      { times, values }: IdSeries,
      use: (thing: number, own: IdSeries) => void,
    ) => {
      for (const { thing, from, to } of byLabel.get(label) ?? []) {
        const begin = times.findIndex((at) => at >= from)
        const end = times.findLastIndex((at) => at + lengthMs <= to)
        if (begin >= 0 && end >= begin)
          use(thing, { times: times.subarray(begin, end + 1), values: values.subarray(begin, end + 1) })
      }
    }
    return { ids: [...ids], handOut }
  }

  async function columns(
    number: number,
    things: readonly number[],
    from: number,
    to: number,
  ): Promise<Samples[]> {
    const field = fieldOf(number)
    const found = new Map<number, IdSeries[]>(things.map((thing) => [thing, []]))
    if (field) {
      const { ids, handOut } = ownersOf(field, things)
      await queries.samples(field, ids, from, to, (label, series) =>
        handOut(sampleMs, label, series, (thing, own) => found.get(thing)!.push(own)),
      )
    }
    return things.map((thing) => joined(found.get(thing)!))
  }

  async function minutes(
    number: number,
    things: readonly number[],
    from: number,
    to: number,
  ): Promise<TimedBucket[][]> {
    const field = fieldOf(number)
    if (!field) return things.map(() => [])
    const first = Math.ceil(from / minuteMs) * minuteMs
    const end = Math.ceil(to / minuteMs) * minuteMs
    const found = await columns(number, things, first, end)
    return found.map((samples) => minutesOf(samples, precisionOf[field.unit]))
  }

  /** The periods of a tier that begin within the time. */
  async function periods(
    field: SampledField,
    tier: 'quarter' | 'day',
    things: readonly number[],
    from: number,
    to: number,
  ): Promise<TimedBucket[][]> {
    const lengthMs = lengths[tier]
    const first = Math.ceil(from / lengthMs) * lengthMs
    const count = Math.ceil((to - first) / lengthMs)
    const { ids, handOut } = ownersOf(field, things)
    const found = new Map(things.map((thing) => [thing, new Map<number, Partial<Record<Rollup, number>>>()]))
    const gaps = new Map(things.map((thing) => [thing, new Map<number, number>()]))
    if (count > 0 && ids.length > 0) {
      const asked: Periods = { first, count, lengthMs }
      const read = (how: Rollup) =>
        queries.rollup(how, field, ids, asked, (label, series) =>
          handOut(lengthMs, label, series, (thing, { times, values }) => {
            const own = found.get(thing)!
            for (const [n, at] of times.entries()) own.set(at, { ...own.get(at), [how]: values[n]! })
          }),
        )
      await Promise.all([
        ...(['count', 'min', 'avg', 'max', 'last'] as const).map(read),
        queries.gaps(field, ids, asked, (label, series) =>
          handOut(lengthMs, label, series, (thing, { times, values }) => {
            for (const [n, at] of times.entries()) gaps.get(thing)!.set(at, values[n]!)
          }),
        ),
      ])
    }
    return things.map((thing) => bucketsOf(found.get(thing)!, gaps.get(thing)!))
  }

  return {
    async ticks(from, to) {
      const times: number[] = []
      await queries.samples(pulse, [META_ID], from, to, (_id, series) => {
        for (const at of series.times) times.push(at)
      })
      return times
    },
    columns,
    async samples(...asked) {
      return (await columns(...asked)).map(samplesOf)
    },
    async last(tier, number, things, from, to) {
      const end = tier === 'raw' ? to : Math.ceil(to / minuteMs) * minuteMs
      return (await columns(number, things, from, end)).map(({ values }) =>
        values.length === 0 ? undefined : values[values.length - 1],
      )
    },
    async buckets(tier, number, things, from, to) {
      if (tier === 'minute') return minutes(number, things, from, to)
      const field = fieldOf(number)
      return field ? periods(field, tier, things, from, to) : things.map(() => [])
    },
    async trends(number, things, from, count, leastTop) {
      const field = fieldOf(number)
      const precision = precisionOf[field?.unit ?? 'count']
      const means = new MinuteMeans({ things, from, minutes: count, precision })
      if (field && things.length > 0) {
        const { ids, handOut } = ownersOf(field, things)
        const asked = { first: from, count, lengthMs: minuteMs }
        await queries.rollup('avg', field, ids, asked, (label, series) =>
          handOut(minuteMs, label, series, (thing, { times, values }) => {
            for (const [n, at] of times.entries()) means.addSamples(thing, at, [values[n]!])
          }),
        )
      }
      return means.toLevels(leastTop)
    },
    *lines({
      tier,
      field: number,
      things,
      from,
      to,
      most,
      precision,
    }): Generator<Step, (readonly { at: number; value: number }[])[]> {
      const found = new Map<number, Map<number, number>>(things.map((thing) => [thing, new Map()]))
      yield largest()
      return things.map((thing) => {
        const points = [...found.get(thing)!].toSorted(([a], [b]) => a - b)
        return downSample(
          points.map(([at, stored]) => ({ at, value: precision.fromStored(stored) })),
          most,
        )
      })

      async function largest() {
        const field = fieldOf(number)
        if (!field || things.length === 0) return
        const { ids, handOut } = ownersOf(field, things)
        const put = (lengthMs: number, shift: (at: number) => number) => (label: string, series: IdSeries) =>
          handOut(lengthMs, label, series, (thing, { times, values }) => {
            const own = found.get(thing)!
            for (const [n, at] of times.entries()) {
              const column = shift(at)
              if (isSample(values[n]!)) own.set(column, Math.max(own.get(column) ?? -Infinity, values[n]!))
            }
          })
        if (tier === 'raw')
          return queries.samples(
            field,
            ids,
            from,
            to,
            put(sampleMs, (at) => at),
          )
        const lengthMs = lengths[tier]
        const widthMs = lengthMs * Math.max(1, Math.ceil((to - from) / lengthMs / most))
        const begin = Math.ceil(from / lengthMs) * lengthMs
        const aligned = Math.ceil(begin / widthMs) * widthMs
        // The first point has only those buckets that begin within the time.
        const partial = { first: begin, count: Math.round((aligned - begin) / lengthMs), lengthMs }
        const whole = { first: aligned, count: Math.ceil((to - aligned) / widthMs), lengthMs: widthMs }
        if (partial.count > 0)
          await queries.rollup(
            'max',
            field,
            ids,
            partial,
            put(lengthMs, (at) => Math.floor(at / widthMs) * widthMs),
          )
        if (whole.count > 0)
          await queries.rollup(
            'max',
            field,
            ids,
            whole,
            put(widthMs, (at) => at),
          )
      }
    },
    *peaks(number, things, from, to, visit) {
      const field = fieldOf(number)
      const first = Math.floor(from / quarterMs) * quarterMs
      const count = Math.ceil((to - first) / quarterMs)
      if (!field || count <= 0) return
      for (let n = 0; n < things.length; n += thingsPerStep) {
        const some = things.slice(n, n + thingsPerStep)
        const { ids, handOut } = ownersOf(field, some)
        const found = new Map<number, Float64Array>()
        yield queries.rollup('max', field, ids, { first, count, lengthMs: quarterMs }, (label, series) =>
          handOut(quarterMs, label, series, (thing, { times, values }) => {
            const own = found.get(thing) ?? new Float64Array(count).fill(absent.skipped)
            found.set(thing, own)
            for (const [at, time] of times.entries()) own[(time - first) / quarterMs] = values[at]!
          }),
        )
        for (const [thing, peaks] of found) visit(thing, first, quarterMs, peaks)
      }
    },
  }
}

/** The parts of a thing's line, which may come from several ids. */
function joined(parts: readonly IdSeries[]): Samples {
  const [only] = parts
  if (!only) return { times: [], values: [] }
  if (parts.length === 1) return only
  const times = parts.flatMap((part) => [...part.times])
  const values = parts.flatMap((part) => [...part.values])
  const order = [...times.keys()].toSorted((a, b) => times[a]! - times[b]!)
  return { times: order.map((n) => times[n]!), values: order.map((n) => values[n]!) }
}

function minutesOf({ times, values }: Samples, precision: Precision): TimedBucket[] {
  const buckets: TimedBucket[] = []
  let own: number[] = []
  for (let n = 0; n < times.length; n++) {
    own.push(values[n]!)
    const start = Math.floor(times[n]! / minuteMs) * minuteMs
    if (n + 1 < times.length && times[n + 1]! < start + minuteMs) continue
    const bucket: Bucket = mergeSamples(own, precision)
    if (bucket !== undefined) buckets.push({ start, bucket })
    own = []
  }
  return buckets
}

/** One of a period in which the store had all of its figures. */
function bucketsOf(
  found: ReadonlyMap<number, Partial<Record<Rollup, number>>>,
  gaps: ReadonlyMap<number, number>,
): TimedBucket[] {
  const buckets: TimedBucket[] = []
  for (const [start, { count, min, avg, max, last }] of found) {
    if (
      count === undefined ||
      min === undefined ||
      avg === undefined ||
      max === undefined ||
      last === undefined
    )
      continue
    const mean = Math.min(max, Math.max(min, avg))
    buckets.push({ start, bucket: { count, min, mean, max, last } })
  }
  const known = new Set(buckets.map(({ start }) => start))
  for (const [start, code] of gaps)
    if (!known.has(start)) buckets.push({ start, bucket: code === absent.stopped ? 'stopped' : 'silent' })
  return buckets.toSorted((a, b) => a.start - b.start)
}
