import type { Moment } from './condition.ts'

/** Limit of the counted downtime, because the wall clock may have been set meanwhile. */
const mostDownMs = 3_600_000

/** The total runtime of the engine as stored. JSON. */
export interface StoredRuntime {
  ms: number
  /** epoch ms, when it was stored */
  at: number
}

/** A clock for durations across restarts. Setting the wall clock shifts it by at most an hour. */
export class Runtime {
  /** offset from the monotonic clock */
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
