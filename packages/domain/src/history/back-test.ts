import type { AlertConfig, AnyRecord, BackTestKind, BackTestMetric } from '@pulse/contract'
import { comparesGrowth, createBands } from './back-test-bands.ts'
import { type Estimate, scaled, someOf } from './back-test-estimate.ts'
import { type Heat, readHeat } from './back-test-heat.ts'
import { Play } from './back-test-play.ts'
import { withOwners } from './back-test-owners.ts'
import { neighbourOf } from './played-records.ts'
import { byField, type Judged, ownerOf, type PlayedThing } from './played-thing.ts'
import { countsOfMinute, samplesOfMinute } from './played-samples.ts'
import { playedMetrics, type PlayedThreshold, playedThreshold } from './played-thresholds.ts'
import { precisionOf } from './precision.ts'
import type { Sample } from './history-source.ts'
import { answered, type SampleReads, type Step } from './sample-reads.ts'
import { isSample } from './series.ts'
import { hourMs, minuteMs, startOf } from './tiers.ts'

/** Samples judged per step. */
const samplesPerStep = 500

export interface BackTestRequest {
  kind: BackTestKind
  metric: BackTestMetric
  /** the configuration to try */
  config: AlertConfig
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
  from: number
  to: number
  /** The threshold is off for all things. */
  isOff: boolean
  /** epoch ms of the first sample; absent without any */
  reaches?: number
  /** Not all things were played, and the counts are scaled. */
  estimate?: Estimate
}

type Store = Pick<SampleReads, 'peaks' | 'samples' | 'buckets'>

/**
 * What a configuration would have done over the kept history, in steps. Only the hours are played in which a
 * figure reached its trigger, and those after it until the alert has ended. If these are too many, some of the
 * things are played for all.
 *
 * Samples as polled give the alerts of the live engine, and its messages; only the alerts of nodes last longer
 * while their whole cluster does not answer. Minutes are an approximation. With a delay of at least a minute, and
 * loads that are six minutes apart:
 * - A load that stays above the trigger for 90 s more than the delay is found, with its start and its end within
 *   a minute.
 * - A load that is 30 s shorter than the delay is not found. So the counts are equal if no load lasts about as
 *   long as the delay.
 */
export function* backTest(asked: BackTestRequest, store: Store): Generator<Step, BackTestResult> {
  const { from, to, things, skips = true } = asked
  const request = { ...asked, config: withOwners(asked.config, things) }
  const judged = judgedThings(request)
  yield
  const heat = yield* readHeat(request, store, judged)
  const costs = skips ? costsOf(heat, judged) : new Map<string, number>()
  const some = someOf(costs)
  yield
  const played = some ? new Map([...judged].filter(([, { thing }]) => some.has(ownerOf(thing)))) : judged
  const result = yield* playHours(request, store, played, heat)
  return {
    ...(some ? scaled(result, { played: some.size, of: costs.size }) : result),
    from,
    to,
    isOff: things.length > 0 && judged.size === 0,
    ...(heat.reaches !== undefined && { reaches: heat.reaches }),
  }
}

/** The things whose threshold is on, by their position in the request. */
function judgedThings(request: BackTestRequest): Map<number, Judged> {
  const { kind, metric, config, things, neighbours, rawFrom } = request
  const isOff = kind === 'pmg' && playedMetrics(metric).length > 1 && !comparesGrowth(config.pmgDefaults)
  if (isOff) return new Map()
  const byMetric = new Map(
    playedMetrics(metric).map((own) => {
      const bandsOf = createBands(config, kind, own, (key) => neighbours.has(key))
      return [own, { threshold: playedThreshold(kind, own), bandsOf }]
    }),
  )
  return new Map(
    things.flatMap((thing, position) => {
      const { threshold, bandsOf } = byMetric.get(thing.metric ?? metric)!
      const { unit, valueOf, sinceOf } = threshold
      const { fromStored } = precisionOf[unit]
      const bands = bandsOf(thing.key, thing.record)
      if (!bands) return []
      const value = (stored: number) => valueOf(thing.record, fromStored(stored))
      const isSame = (before: Sample, now: Sample) => {
        if (!sinceOf || !isSample(before.stored) || !isSample(now.stored)) return before.stored === now.stored
        const since = ({ at, stored }: Sample) => sinceOf(fromStored(stored), at) ?? Infinity
        const apartMs = Math.abs(since(now) - since(before)) || 0
        // The times of samples within a minute are not stored.
        return apartMs <= (now.at < rawFrom ? minuteMs : 0)
      }
      return [[position, { thing, threshold, bands, valueOf: value, isSame }] as const]
    }),
  )
}

/** Hours to play, by the record that the alerts are about. */
function costsOf(heat: Heat, judged: ReadonlyMap<number, Judged>): Map<string, number> {
  const costs = new Map<string, number>()
  for (const [position, hours] of heat.costs()) {
    const owner = ownerOf(judged.get(position)!.thing)
    costs.set(owner, (costs.get(owner) ?? 0) + hours)
  }
  return costs
}

function* playHours(
  { kind, metric, config, neighbours, rawFrom, from, to, skips = true }: BackTestRequest,
  store: Store,
  played: ReadonlyMap<number, Judged>,
  heat: Heat,
): Generator<Step, ReturnType<Play['result']>> {
  const play = new Play(
    { kind, metric, config, neighbours, neighbourKind: neighbourOf[kind], from, to, skips },
    played.values(),
  )
  for (let hour = startOf(from, hourMs); hour < to; hour += hourMs) {
    const active = new Set(play.active)
    const positions = [...played.keys()].filter(
      (position) => !skips || heat.isHot(position, hour) || active.has(played.get(position)!.thing),
    )
    if (positions.length > 0) yield* playHour(hour, positions)
    play.forgetFinal()
  }
  return play.result()

  function* playHour(hour: number, positions: readonly number[]): Generator<Step, void> {
    const found = yield* readHour(hour, positions)
    yield
    const ticks = new Map<number, [PlayedThing, number][]>()
    for (const position of positions) {
      const { thing } = played.get(position)!
      const within = found.get(position)!.filter(({ at }) => at >= from && at < to)
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

  function* readHour(hour: number, positions: readonly number[]): Generator<Step, Map<number, Sample[]>> {
    const found = new Map<number, Sample[]>()
    for (const [field, { positions: own, numbers }] of byField(positions, played)) {
      const all = yield* readField(field, numbers, hour, played.get(own[0]!)!.threshold)
      for (const [n, samples] of all.entries()) found.set(own[n]!, samples)
    }
    return found
  }

  function* readField(
    field: number,
    numbers: readonly number[],
    hour: number,
    { isCounter }: PlayedThreshold,
  ): Generator<Step, Sample[][]> {
    if (hour >= rawFrom) return yield* answered(store.samples(field, numbers, hour, hour + hourMs))
    const found = yield* answered(store.buckets('minute', field, numbers, hour, hour + hourMs))
    return found.map((minutes) => minutes.flatMap(isCounter ? countsOfMinute : samplesOfMinute))
  }
}
