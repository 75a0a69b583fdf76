import type { Clock } from '@pulse/domain'
import type { RunningCollector } from './source.ts'

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

  /** Makes a call of that name. */
  async call<T>(name: string, clock: Clock, call: () => Promise<T>): Promise<T> {
    const startedAt = clock.monotonic()
    let isAnswered = false
    try {
      const answer = await call()
      isAnswered = true
      return answer
    } finally {
      const seconds = (clock.monotonic() - startedAt) / 1000
      this.#calls++
      this.#callSeconds += seconds
      if (isAnswered) this.#seconds.set(name, seconds)
      else this.#failed++
    }
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
