import type { ChartLinesRequest } from './chart-lines.ts'
import type { Point } from './down-sample.ts'
import type { Sample, Samples, TimedBucket } from './history-source.ts'
import type { Levels } from './minute-means.ts'
import type { Visit } from './store-reading.ts'
import type { BucketTier } from './tiers.ts'

/** A step of some work. If it is a promise, the next step comes after it. */
export type Step = Promise<unknown> | void

/** history.db answers at once, a store behind a network later. */
export type Answer<T> = T | Promise<T>

/** What can be read of samples, whatever stores them. `HistoryStore` says what each answer is. */
export interface SampleReads {
  ticks(from: number, to: number): Answer<number[]>
  columns(field: number, things: readonly number[], from: number, to: number): Answer<Samples[]>
  samples(field: number, things: readonly number[], from: number, to: number): Answer<Sample[][]>
  last(
    tier: 'raw' | 'minute',
    field: number,
    things: readonly number[],
    from: number,
    to: number,
  ): Answer<(number | undefined)[]>
  buckets(
    tier: BucketTier,
    field: number,
    things: readonly number[],
    from: number,
    to: number,
  ): Answer<TimedBucket[][]>
  trends(
    field: number,
    things: readonly number[],
    from: number,
    minutes: number,
    leastTop: number,
  ): Answer<Levels>
  lines(request: ChartLinesRequest): Generator<Step, (readonly Point[])[]>
  peaks(
    field: number,
    things: readonly number[],
    from: number,
    to: number,
    visit: Visit,
  ): Generator<Step, void>
}

/** The answer; one that comes later is a step. */
export function* answered<T>(answer: Answer<T>): Generator<Step, T> {
  if (!(answer instanceof Promise)) return answer
  let found: { value: T } | undefined
  yield answer.then((value) => (found = { value }))
  // the next step comes after the promise
  return found!.value
}
