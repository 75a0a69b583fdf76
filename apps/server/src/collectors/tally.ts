import type { Clock } from '@pulse/domain'
import type { RunningCollector } from './source.ts'

/** Statistics about the calls of one connection since its start. */
export class Tally {
  #calls = 0
  #failed = 0
  #callSeconds = 0
  #cycles = 0
  #lastCycleSeconds = 0
  #hits = 0
  #misses = 0
  readonly #seconds = new Map<string, number>()

  /** Makes and counts a call of that name. */
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

  /** A guest was listed, and its own details were already known. */
  atHand(): void {
    this.#hits++
  }

  /** The details needed a call. */
  askedFor(): void {
    this.#misses++
  }

  /** One listing of everything, from the call to its publication. */
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
