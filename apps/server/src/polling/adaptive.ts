import { spread } from '../timing/backoff.ts'

/** The settings in milliseconds: the interval of a new source, and the shortest and longest interval. */
export interface AdaptiveBounds {
  baseMs: number
  minMs: number
  maxMs: number
}

const shareOfNew = 0.6
const jitter = 0.05
const stretchPerWaiting = 0.1

/**
 * The polling interval of one source: long while answers are fresh, short once they are old, longer when many
 * sources are polled at the same time. It changes in steps, with jitter so that sources drift apart.
 */
export class AdaptiveInterval {
  #last: number | undefined

  /**
   * `ageMs`: the age that the last answers had reached; undefined for a new source. `underWay`: sources being
   * polled.
   */
  next(
    { baseMs, minMs, maxMs }: AdaptiveBounds,
    { ageMs, underWay }: { ageMs: number | undefined; underWay: number },
    random: () => number = Math.random,
  ): number {
    if (ageMs === undefined) return (this.#last = baseMs)
    const staleness = Math.min(1, Math.max(0, ageMs / maxMs))
    const wanted =
      (minMs + (maxMs - minMs) * (1 - staleness)) * (1 + stretchPerWaiting * Math.max(0, underWay - 1))
    const smooth = shareOfNew * wanted + (1 - shareOfNew) * (this.#last ?? baseMs)
    this.#last = Math.min(maxMs, Math.max(minMs, smooth))
    return Math.round(Math.min(maxMs, Math.max(minMs, spread(this.#last, jitter, random))))
  }

  /** The next interval is the base again. */
  reset(): void {
    this.#last = undefined
  }
}
