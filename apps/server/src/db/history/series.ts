import { type HistoryGap, type HistorySeries, META_ID } from '@pulse/contract'
import {
  bucketGaps,
  bucketMs,
  bucketPoints,
  type BucketTier,
  precisionOf,
  sampleGaps,
  samplePoints,
  type SampleReads,
  type Samples,
  startOf,
  type TimedBucket,
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
  { samples, things }: Pick<HistoryFile, 'samples' | 'things'>,
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
      ? await samplesReader(samples, asked)
      : bucketsReader(samples, things.find('meta', [META_ID])[0], { ...asked, tier })
  const texts: string[] = []
  for (const { name, field, unit } of fields) {
    const courses = await read({ field, unit }, found, numbers.includes(undefined))
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

/**
 * Reads a figure of some things; returns the course of each, which is one gap without history. `hasUnknown`: that is
 * asked for, too.
 */
type Read = (
  figure: Pick<SeriesAsked['fields'][number], 'field' | 'unit'>,
  things: readonly number[],
  hasUnknown: boolean,
) => Promise<(thing: number | undefined) => Course>

async function samplesReader(reads: SampleReads, { from, to, until, most }: SeriesAsked): Promise<Read> {
  const times = await reads.ticks(from, to)
  return async ({ field, unit }, things) => {
    const known = byThing(things, await reads.columns(field, things, from, to))
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
  reads: SampleReads,
  pulse: number | undefined,
  { tier, from, to, until, most, pulseField }: SeriesAsked & { tier: BucketTier },
): Read {
  let starts: Set<number> | undefined
  async function readStarts() {
    const [ran = []] = pulse === undefined ? [] : await reads.buckets(tier, pulseField, [pulse], from, to)
    return new Set(ran.map((bucket) => bucket.start))
  }
  const lengthMs = bucketMs[tier]
  const mostBuckets = Math.ceil((until - startOf(from, lengthMs)) / lengthMs)
  return async ({ field, unit }, things, hasUnknown) => {
    const known = byThing(things, await reads.buckets(tier, field, things, from, to))
    const isWhole = (own: readonly TimedBucket[]) => own.length === mostBuckets && own.at(-1)!.start < until
    // Without a missing bucket, nothing asks whether Pulse ran.
    if (hasUnknown || ![...known.values()].every(isWhole)) starts ??= await readStarts()
    const hasRun = (start: number) => starts?.has(start) === true
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
