import { spread } from '../timing/backoff.ts'

/** What the user allows, in milliseconds: for a source that is new, and at most and at least so often. */
export interface AdaptiveBounds {
  baseMs: number
  minMs: number
  maxMs: number
}

const shareOfNew = 0.6
const jitter = 0.05
const stretchPerWaiting = 0.1

/**
 * The interval of one source: long while its answers are fresh, short once they have grown old, longer when many
 * sources are being asked at the same time. It moves by steps, and sources drift apart.
 */
export class AdaptiveInterval {
  #last: number | undefined

  /** `ageMs`: how old the last answers had become; absent for a source that has just been met. `underWay`: sources that are being asked right now, this one included. */
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

  /** The next one begins at the base again. */
  reset(): void {
    this.#last = undefined
  }
}
