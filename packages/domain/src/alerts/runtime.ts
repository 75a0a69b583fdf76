import type { Moment } from './condition.ts'

/** Of the time between what was stored and the start; the clock on the wall may have been set meanwhile. */
const mostDownMs = 3_600_000

/** How long the engine has run in all, as it is kept over a restart. JSON. */
export interface StoredRuntime {
  ms: number
  /** epoch ms, when it was stored */
  at: number
}

/** A clock for what lasts over a restart. No clock that is set moves it by more than an hour. */
export class Runtime {
  /** from monotonic */
  readonly #offset: number

  constructor(stored: StoredRuntime | undefined, { now, monotonic }: Moment) {
    const before = stored ? stored.ms + Math.min(mostDownMs, Math.max(0, now - stored.at)) : 0
    this.#offset = before - monotonic
  }

  at({ monotonic }: Moment): number {
    return monotonic + this.#offset
  }

  store(moment: Moment): StoredRuntime {
    return { ms: this.at(moment), at: moment.now }
  }
}
