import {
  type AlertConfig,
  type AlertMetric,
  type AnyRecord,
  figures,
  type Figure,
  type MeasuredKind,
  thresholdValue,
} from '@pulse/contract'
import { createBands } from './back-test-bands.ts'
import { Play, type PlayedThing } from './back-test-play.ts'
import { neighbourOf } from './played-records.ts'
import { samplesOfMinute } from './played-samples.ts'
import { precisionOf } from './precision.ts'
import { isSample } from './series.ts'
import type { Sample } from './history-source.ts'
import type { HistoryStore } from './store.ts'
import { hourMs, startOf } from './tiers.ts'

/** Hours of one thing in which its figure reached the trigger. More of them would take too long. */
const mostHours = 4_000
/** Samples judged per step. */
const samplesPerStep = 500

export interface BackTestRequest {
  kind: MeasuredKind
  metric: AlertMetric
  /** the configuration to try */
  config: AlertConfig
  /** the number of the metric's figure in the history */
  field: number
  things: readonly PlayedThing[]
  /** records that the rules of the kind look at, by key */
  neighbours: ReadonlyMap<string, AnyRecord>
  from: number
  to: number
  /** Since then samples are there as polled, before that minutes. */
  rawFrom: number
  /** tests play everything and compare */
  skips?: boolean
}

export type BackTestResult = ReturnType<Play['result']> & {
  /** The time that was played. It begins later than asked for if it would take too long. */
  from: number
  to: number
  /** epoch ms of the first sample; absent without any */
  reaches?: number
}

type Store = Pick<HistoryStore, 'peaks' | 'samples' | 'buckets'>

/**
 * What a configuration would have done over the kept history, in steps. Only the hours are played in which a
 * figure reached its trigger, and those after it until the alert has ended.
 */
export function* backTest(request: BackTestRequest, store: Store): Generator<void, BackTestResult> {
  const { kind, metric, config, neighbours, to, skips = true } = request
  const neighbourKind = neighbourOf[kind]
  const precision = precisionOf[figureOf(kind, metric).unit]
  const bandsOf = createBands(config, kind, metric, (key) => neighbours.has(key))
  const played = new Map(
    request.things.flatMap((thing) => {
      const bands = bandsOf(thing.key, thing.record)
      return bands ? [[thing.number, [thing, bands] as const] as const] : []
    }),
  )
  yield
  const hot = yield* hotHours(
    request,
    store,
    new Map([...played].map(([n, [, { trigger }]]) => [n, trigger])),
  )
  const from = skips ? beginOf(hot, request.from) : request.from
  const play = new Play(
    { kind, metric, config, precision, neighbours, neighbourKind, from, to, skips },
    played.values(),
  )
  for (let hour = startOf(from, hourMs); hour < to; hour += hourMs) {
    const active = [...play.active].map(({ number }) => number)
    const relevant = new Set([...(hot.byHour.get(hour) ?? []), ...active])
    const numbers = [...played.keys()].filter((number) => !skips || relevant.has(number))
    if (numbers.length > 0) yield* playHour(hour, numbers)
    play.forgetFinal()
  }
  return {
    ...play.result(),
    from,
    to,
    ...(hot.reaches !== undefined && { reaches: hot.reaches }),
  }

  function* playHour(hour: number, numbers: readonly number[]): Generator<void, void> {
    const found = readHour(hour, numbers)
    yield
    const ticks = new Map<number, [PlayedThing, number][]>()
    for (const [n, number] of numbers.entries()) {
      const [thing] = played.get(number)!
      const within = found[n]!.filter(({ at }) => at >= from && at < to)
      for (const { at, stored } of play.untilNews(thing, within)) {
        const tick = ticks.get(at)
        if (tick) tick.push([thing, stored])
        else ticks.set(at, [[thing, stored]])
      }
    }
    let judged = 0
    for (const at of [...ticks.keys()].toSorted((a, b) => a - b)) {
      const samples = ticks.get(at)!
      play.tick(at, samples)
      judged += samples.length
      if (judged < samplesPerStep) continue
      judged = 0
      yield
    }
  }

  function readHour(hour: number, numbers: readonly number[]): Sample[][] {
    const { field, rawFrom } = request
    if (hour >= rawFrom) return store.samples(field, numbers, hour, hour + hourMs)
    return store
      .buckets('minute', field, numbers, hour, hour + hourMs)
      .map((minutes) => minutes.flatMap(samplesOfMinute))
  }
}

interface HotHours {
  /** things that reached their trigger, by the start of the hour */
  byHour: ReadonlyMap<number, ReadonlySet<number>>
  reaches?: number
}

/** Reads the largest samples of all things. */
function* hotHours(
  { kind, metric, field, from, to }: BackTestRequest,
  store: Store,
  triggers: ReadonlyMap<number, number>,
): Generator<void, HotHours> {
  const { unit } = figureOf(kind, metric)
  const { fromStored } = precisionOf[unit]
  const figure: Figure<number> = { unit, read: (value) => value }
  const byHour = new Map<number, Set<number>>()
  let reaches = Infinity
  yield* store.peaks(field, [...triggers.keys()], from, to, (thing, start, lengthMs, peaks) => {
    const trigger = triggers.get(thing)!
    for (let n = 0; n < peaks.length; n++) {
      const peak = peaks[n]!
      if (!isSample(peak)) continue
      const at = start + n * lengthMs
      if (at < reaches && at + lengthMs > from) reaches = at
      if (thresholdValue(figure, fromStored(peak))! < trigger) continue
      const hour = startOf(at, hourMs)
      const things = byHour.get(hour) ?? new Set<number>()
      byHour.set(hour, things.add(thing))
    }
  })
  return { byHour, ...(reaches !== Infinity && { reaches: Math.max(from, reaches) }) }
}

/** The latest hours come first, so a threshold that is reached all the time is played over fewer days. */
function beginOf({ byHour }: HotHours, from: number): number {
  let count = 0
  for (const hour of [...byHour.keys()].toSorted((a, b) => b - a)) {
    count += byHour.get(hour)!.size
    if (count > mostHours) return Math.max(from, hour + hourMs)
  }
  return from
}

const figureOf = (kind: MeasuredKind, metric: AlertMetric): Figure<never> =>
  (figures[kind] as Readonly<Record<string, Figure<never>>>)[metric]!
