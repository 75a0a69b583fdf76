import { expect } from 'vitest'
import { type Bucket, isSummary, type Summary } from './bucket.ts'
import { precisionOf } from './precision.ts'
import { absent, isSample } from './series.ts'
import type { HistoryStore } from './store.ts'
import { bucketMs, type BucketTier, dayMs, minuteMs, startOf, type Tier } from './tiers.ts'

export const T0 = Date.UTC(2026, 0, 5)
export const precision = precisionOf.percent
export const fields = [1, 2]
export const things = [0, 5, 31, 32, 700]
export const keepMs: Record<Tier, number | undefined> = {
  raw: dayMs,
  minute: 3 * dayMs,
  quarter: 10 * dayMs,
  day: undefined,
}

export interface Kept {
  at: number
  field: number
  thing: number
  stored: number
}

/** Keeps every sample, and computes every answer from all of them. */
export class Model {
  all: Kept[] = []
  /** samples that a kill would lose */
  open: Kept[] = []
  #lastAt: number | undefined

  tick(at: number, samples: readonly Omit<Kept, 'at'>[]) {
    const last = this.#lastAt
    if (last !== undefined && (at <= last || startOf(at, minuteMs) !== startOf(last, minuteMs))) this.flush()
    this.#lastAt = at
    this.open.push(...samples.map((one) => ({ ...one, at })))
  }

  /** A minute that is over becomes durable before hours are compacted. */
  compact(now: number) {
    if (this.#lastAt !== undefined && startOf(this.#lastAt, minuteMs) !== startOf(now, minuteMs)) this.flush()
  }

  flush() {
    this.all.push(...this.open)
    this.kill()
  }

  kill() {
    this.open = []
    this.#lastAt = undefined
  }

  of(field: number, thing: number, from: number, to: number) {
    return [...this.all, ...this.open].filter(
      (one) =>
        one.field === field &&
        one.thing === thing &&
        one.at >= from &&
        one.at < to &&
        one.stored !== absent.skipped,
    )
  }

  bucket(field: number, thing: number, start: number, lengthMs: number) {
    const own = this.of(field, thing, start, start + lengthMs).toSorted(
      (a, b) => startOf(a.at, minuteMs) - startOf(b.at, minuteMs),
    )
    const values = own.map(({ stored }) => stored).filter(isSample)
    if (values.length === 0)
      return own.at(-1) && (own.at(-1)!.stored === absent.silent ? 'silent' : 'stopped')
    return {
      count: values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      mean: values.reduce((sum, value) => sum + value, 0) / values.length,
      last: values.at(-1)!,
    }
  }
}

export interface Compared {
  tier: BucketTier
  from: number
  to: number
  /** Where minutes are gone, nothing tells which of two samples of a quarter hour was the last one. */
  isOrderKnown: boolean
}

export function compare(store: HistoryStore, model: Model, { tier, from, to, isOrderKnown }: Compared) {
  const lengthMs = bucketMs[tier]
  for (const field of fields)
    for (const thing of things) {
      const known = new Map(
        store.buckets(tier, field, [thing], from, to)[0]!.map(({ start, bucket }) => [start, bucket]),
      )
      const starts = new Set(model.of(field, thing, from, to).map(({ at }) => startOf(at, lengthMs)))
      expect([...known.keys()].toSorted()).toEqual(
        [...starts].filter((start) => start >= from && start < to).toSorted(),
      )
      for (const [start, bucket] of known) {
        const expected = model.bucket(field, thing, start, lengthMs)
        if (!isSummary(bucket))
          expect(isOrderKnown ? bucket : typeof bucket).toBe(isOrderKnown ? expected : typeof expected)
        else {
          const { mean, last, ...exact } = expected as Summary
          expect(bucket).toMatchObject({ ...exact, ...(isOrderKnown && { last }) })
          expect(Math.abs(bucket.mean - mean)).toBeLessThanOrEqual(2)
        }
      }
      if (tier === 'minute') compareLast(store, known, { field, thing, from, to })
    }
}

/** The last values of all minutes, of each one and of the times between them. */
function compareLast(
  store: HistoryStore,
  known: ReadonlyMap<number, Bucket>,
  { field, thing, from, to }: { field: number; thing: number; from: number; to: number },
) {
  const starts = [...known.keys()].toSorted((a, b) => a - b)
  const ends = [from, ...starts.flatMap((start) => [start, start + minuteMs]), to]
  for (const end of ends) {
    const before = starts.filter((start) => start < end).at(-1)
    const bucket = before === undefined ? undefined : known.get(before)
    const expected = isSummary(bucket) ? bucket.last : bucket && absent[bucket]
    const others = things.filter((other) => other !== thing)
    expect(store.last('minute', field, [...others, thing], from, end).at(-1)).toBe(expected)
  }
}
