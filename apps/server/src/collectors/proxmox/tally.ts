import type { RunningCollector } from '../source.ts'

/** What the calls of one connection came to since it was started. */
export class Tally {
  #calls = 0
  #failed = 0
  #callSeconds = 0
  #cycles = 0
  #lastCycleSeconds = 0
  #hits = 0
  #misses = 0
  readonly #seconds = new Map<string, number>()

  called(name: string, durationMs: number, isAnswered: boolean): void {
    this.#calls++
    this.#callSeconds += durationMs / 1000
    if (isAnswered) this.#seconds.set(name, durationMs / 1000)
    else this.#failed++
  }

  /** A guest was listed, and what only it can tell was known from before. */
  atHand(): void {
    this.#hits++
  }

  /** It had to be asked for. */
  askedFor(): void {
    this.#misses++
  }

  /** One listing of everything, from the question to its place in the picture. */
  cycled(durationMs: number): void {
    this.#cycles++
    this.#lastCycleSeconds = durationMs / 1000
  }

  totals(): ReturnType<RunningCollector['totals']> {
    return {
      calls: this.#calls,
      failed: this.#failed,
      callSeconds: this.#callSeconds,
      cycles: this.#cycles,
      lastCycleSeconds: this.#lastCycleSeconds,
      cacheHits: this.#hits,
      cacheMisses: this.#misses,
      durations: Object.fromEntries(this.#seconds),
    }
  }
}
