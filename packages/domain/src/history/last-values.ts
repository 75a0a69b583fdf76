import { groupOf, type HistorySource } from './history-source.ts'
import type { OpenSegment, Segment } from './segment.ts'
import { absent, isSample } from './series.ts'
import type { Block } from './tile-storage.ts'
import { seriesPerTile, visitLasts, visitRaw } from './tile.ts'
import { minuteMs, startOf } from './tiers.ts'

export interface LastAsked {
  tier: 'raw' | 'minute'
  field: number
  things: readonly number[]
  from: number
  /** exclusive */
  to: number
}

/**
 * Things are named once. The last stored value of each thing within the time, or the code of its gap; undefined without either. Of all
 * things of a large estate, reading all samples of the time would take several times as long.
 */
export function readLast(source: HistorySource, asked: LastAsked): (number | undefined)[] {
  const { tier, field, things, from, to } = asked
  const latest = new Latest(things)
  const slotsOf = new Map<number, Set<number>>()
  for (const thing of things) {
    const slots = slotsOf.get(groupOf(thing)) ?? new Set<number>()
    slotsOf.set(groupOf(thing), slots.add(thing % seriesPerTile))
  }
  for (const block of source.blocksWithin(tier, from, to)) {
    const times = timesWithin(tier, block, from, to)
    if (times.length === 0) continue
    for (const [group, slots] of slotsOf) {
      const { start, part } = block
      const bytes = source.storage.tile({ tier, field, group, start, part })
      if (!bytes) continue
      const use = (slot: number, values: Float64Array) => {
        const thing = group * seriesPerTile + slot
        for (const { n, at } of times) if (n < values.length) latest.take(thing, at, values[n]!)
      }
      if (tier === 'raw') visitRaw(bytes, slots, times.at(-1)!.n + 1, use)
      else visitLasts(bytes, slots, use)
    }
  }
  for (const segment of source.segmentsWithin(from, to)) {
    const start = startOf(segment.times[0]!, minuteMs)
    if (tier === 'raw') visitSamples(segment, asked, latest)
    else if (start >= from)
      segment.visit(field, (thing, samples) => latest.take(thing, start, lastOf(samples)))
  }
  return latest.values
}

/** Places in a block, in the order of its samples. */
function timesWithin(
  tier: 'raw' | 'minute',
  block: Block,
  from: number,
  to: number,
): { n: number; at: number }[] {
  const times =
    tier === 'raw' ? block.times : Array.from({ length: 60 }, (_, n) => block.start + n * minuteMs)
  return times.flatMap((at, n) => (at >= from && at < to ? [{ n, at }] : []))
}

function visitSamples(segment: Segment | OpenSegment, { field, from, to }: LastAsked, latest: Latest) {
  const { times } = segment
  segment.visit(field, (thing, samples) => {
    for (let n = 0; n < samples.length; n++)
      if (times[n]! >= from && times[n]! < to) latest.take(thing, times[n]!, samples[n]!)
  })
}

/** As of a bucket: its last sample, and without one its last gap. */
function lastOf(samples: ArrayLike<number>): number {
  let last: number = absent.skipped
  for (let n = 0; n < samples.length; n++) {
    const stored = samples[n]!
    if (isSample(stored) || (!isSample(last) && stored !== absent.skipped)) last = stored
  }
  return last
}

/** What is latest by the clock, of a sample and a gap of the same time the sample. */
class Latest {
  readonly #rows: ReadonlyMap<number, number>
  readonly #at: Float64Array
  readonly values: (number | undefined)[]

  constructor(things: readonly number[]) {
    this.#rows = new Map(things.map((thing, row) => [thing, row]))
    this.#at = new Float64Array(things.length).fill(-Infinity)
    this.values = Array<number | undefined>(things.length).fill(undefined)
  }

  take(thing: number, at: number, stored: number): void {
    const row = this.#rows.get(thing)
    if (row === undefined || stored === absent.skipped || at < this.#at[row]!) return
    if (at === this.#at[row] && isSample(this.values[row]!) && !isSample(stored)) return
    this.#at[row] = at
    this.values[row] = stored
  }
}
