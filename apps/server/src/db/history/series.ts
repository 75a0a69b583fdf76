import { type HistoryGap, type HistorySeries, META_ID } from '@pulse/contract'
import {
  bucketGaps,
  bucketPoints,
  type BucketTier,
  type HistoryStore,
  precisionOf,
  sampleGaps,
  samplePoints,
  type Samples,
} from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoryFile } from './history-file.ts'
import type { SeriesAsked } from './messages.ts'

type Course = Pick<HistorySeries, 'points' | 'gaps'>

/**
 * Some figures of some records as JSON, in steps between other requests. A day has thousands of samples: as objects
 * they would take longer to the main thread than to read.
 */
export async function seriesIn(
  { store, things }: Pick<HistoryFile, 'store' | 'things'>,
  asked: SeriesAsked,
): Promise<Uint8Array> {
  const { kind, records, fields, tier, asOf } = asked
  const ids = records.map(({ id }) => id)
  const numbers = things.find(kind, ids, asOf)
  const newest = things.find(kind, ids)
  const lives = numbers.map((number, n) => (number === undefined ? {} : things.lifeOf(kind, ids[n]!, number)))
  const found = [...new Set(numbers.filter((number) => number !== undefined))]
  const read =
    tier === 'raw'
      ? samplesReader(store, asked)
      : bucketsReader(store, things.find('meta', [META_ID])[0], { ...asked, tier })
  const texts: string[] = []
  for (const { name, field, unit } of fields) {
    const courses = read({ field, unit }, found)
    for (const [n, { shown }] of records.entries()) {
      const isFormer = newest[n] !== undefined && numbers[n] !== newest[n]
      const { goneAt, ...tenure } = lives[n]!
      const about = { id: shown, field: name, unit, ...(isFormer && { isFormer }), ...tenure }
      const { points, gaps } = courses(numbers[n])
      const ended = gapsUntil(gaps, goneAt, asked)
      texts.push(JSON.stringify({ ...about, points, gaps: ended } satisfies HistorySeries))
    }
    await nextTurn()
  }
  return Buffer.from(`[${texts.join()}]`)
}

/** A thing that has ended does not answer, but not because of a fault. */
function gapsUntil(
  gaps: readonly HistoryGap[],
  goneAt = Infinity,
  { from, until }: Pick<SeriesAsked, 'from' | 'until'>,
): HistoryGap[] {
  if (goneAt >= until) return [...gaps]
  const before = gaps
    .filter((gap) => gap.from < goneAt)
    .map((gap) => ({ ...gap, to: Math.min(gap.to, goneAt) }))
  return [...before, { from: Math.max(from, goneAt), to: until, reason: 'gone' }]
}

/** Reads a figure of some things; returns the course of each, which is one gap without history. */
type Read = (
  figure: Pick<SeriesAsked['fields'][number], 'field' | 'unit'>,
  things: readonly number[],
) => (thing: number | undefined) => Course

function samplesReader(store: HistoryStore, { from, to, until, most }: SeriesAsked): Read {
  const times = store.ticks(from, to)
  return ({ field, unit }, things) => {
    const known = byThing(things, store.columns(field, things, from, to))
    return (thing) => {
      const samples = known.get(thing) ?? none
      return {
        points: samplePoints(samples, { from, to, most }, precisionOf[unit]),
        gaps: sampleGaps(samples, times, from, until),
      }
    }
  }
}

/** `pulse`: the number of Pulse itself. Where it has no buckets, Pulse was off. */
function bucketsReader(
  store: HistoryStore,
  pulse: number | undefined,
  { tier, from, to, until, most, pulseField }: SeriesAsked & { tier: BucketTier },
): Read {
  let starts: Set<number> | undefined
  function hasRun(start: number) {
    if (!starts) {
      const [ran = []] = pulse === undefined ? [] : store.buckets(tier, pulseField, [pulse], from, to)
      starts = new Set(ran.map((bucket) => bucket.start))
    }
    return starts.has(start)
  }
  return ({ field, unit }, things) => {
    const known = byThing(things, store.buckets(tier, field, things, from, to))
    return (thing) => {
      const buckets = known.get(thing) ?? []
      return {
        points: bucketPoints(buckets, tier, { from, to, most }, precisionOf[unit]),
        gaps: bucketGaps(buckets, hasRun, tier, from, until),
      }
    }
  }
}

const none: Samples = { times: [], values: [] }

const byThing = <T>(things: readonly number[], all: readonly T[]): ReadonlyMap<number | undefined, T> =>
  new Map(things.map((thing, n) => [thing, all[n]!]))
