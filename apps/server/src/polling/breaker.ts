import type { Clock } from '@pulse/domain'

export type BreakerState = 'closed' | 'open' | 'half_open'

const failuresToOpen = 3
const firstWaitMs = 5_000
const longestWaitMs = 300_000
/** A probe that never reports back must not block the next one for ever. */
const probeWindowMs = 30_000

/** Keeps calls away from a host that failed three times in a row, and lets single probes through meanwhile. */
export class Breaker {
  readonly #clock: Clock
  #failures = 0
  #openings = 0
  #retryAt = 0
  #probing = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): BreakerState {
    if (this.#openings === 0) return 'closed'
    return this.#probing && this.waitMs() > 0 ? 'half_open' : 'open'
  }

  /** Milliseconds until a call may be tried; 0 = now. */
  waitMs(): number {
    return this.#openings === 0 ? 0 : Math.max(0, this.#retryAt - this.#clock.monotonic())
  }

  /** Whether a call may go out. While open, that is one probe per waiting time. */
  enter(): boolean {
    if (this.#openings === 0) return true
    if (this.waitMs() > 0) return false
    this.#probing = true
    this.#retryAt = this.#clock.monotonic() + probeWindowMs
    return true
  }

  succeed(): void {
    this.#failures = 0
    this.#openings = 0
    this.#probing = false
  }

  fail(): void {
    this.#failures++
    if (this.#openings > 0 && !this.#probing) return
    if (this.#openings === 0 && this.#failures < failuresToOpen) return
    const waitMs = Math.min(firstWaitMs * 2 ** Math.min(this.#openings, 16), longestWaitMs)
    this.#openings++
    this.#probing = false
    this.#retryAt = this.#clock.monotonic() + waitMs
  }
}
