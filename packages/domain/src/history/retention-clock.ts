import { dayMs, hourMs } from './tiers.ts'

/** While Pulse runs, it gives up at most so much of the past per hour. */
const pace = dayMs / hourMs

/**
 * The time that decides what is too old. A wall clock that is far ahead, after a flat battery or a wrong
 * entry, must not delete the history. So this time follows it at a limited pace: after a week without Pulse
 * it is right again in seven hours, and each hour with a wrong clock removes a day of the past at most.
 */
export class RetentionClock {
  #trusted: number
  #at: number

  /** `trusted`: the time that it had reached; at the first start, the wall clock. */
  constructor(trusted: number, monotonic: number) {
    this.#trusted = trusted
    this.#at = monotonic
  }

  /** It never goes back, but it is not ahead of the wall clock either. */
  now(wall: number, monotonic: number): number {
    const most = this.#trusted + pace * (monotonic - this.#at)
    this.#at = monotonic
    this.#trusted = Math.max(this.#trusted, Math.min(wall, most))
    return Math.min(wall, this.#trusted)
  }

  /** To be stored for the next start. */
  get trusted(): number {
    return this.#trusted
  }
}
