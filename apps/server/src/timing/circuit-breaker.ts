import type { Clock } from '@pulse/domain'
import { backoffMs, hostBackoff } from './backoff.ts'

export type BreakerState = 'closed' | 'open' | 'half_open'

/** Times are monotonic. */
export interface BreakerReport {
  state: BreakerState
  /** failures in a row */
  failures: number
  /** the beginning of this state */
  since: number
  /** absent: it was never anything but closed */
  changedAt?: number
  /** the next call is allowed then; absent while closed */
  retryAt?: number
}

const failuresToOpen = 3
/** Without jitter, because several callers share one breaker. */
const waits = { ...hostBackoff, jitter: 0 }
/** A probe that never reports back blocks the next one for this long. */
const probeWindowMs = 30_000

/**
 * Opens after three consecutive failures. While open it lets one probe through per pause; a success closes
 * it.
 */
export class CircuitBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>
  #failures = 0
  #openings = 0
  #retryAt = 0
  #probing = false
  readonly #beganAt: number
  #changedAt: number | undefined

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
    this.#beganAt = clock.monotonic()
  }

  get state(): BreakerState {
    if (this.#openings === 0) return 'closed'
    return this.#probing && this.waitMs() > 0 ? 'half_open' : 'open'
  }

  report(): BreakerReport {
    const { state } = this
    // A probe that never reported back makes it open again at the end of its time.
    const changedAt = this.#probing && state === 'open' ? this.#retryAt : this.#changedAt
    return {
      state,
      failures: this.#failures,
      since: changedAt ?? this.#beganAt,
      ...(changedAt !== undefined && { changedAt }),
      ...(state !== 'closed' && { retryAt: this.#retryAt }),
    }
  }

  /** Milliseconds until the next call is allowed; 0: now. */
  waitMs(): number {
    return this.#openings === 0 ? 0 : Math.max(0, this.#retryAt - this.#clock.monotonic())
  }

  /** Whether a call is allowed now. While the breaker is open, the call that gets true is the probe. */
  enter(): boolean {
    if (this.#openings === 0) return true
    if (this.waitMs() > 0) return false
    this.#probing = true
    this.#changedAt = this.#clock.monotonic()
    this.#retryAt = this.#clock.monotonic() + probeWindowMs
    return true
  }

  succeed(): void {
    if (this.#openings > 0) this.#changedAt = this.#clock.monotonic()
    this.#failures = 0
    this.#openings = 0
    this.#probing = false
  }

  fail(): void {
    this.#failures++
    // the call went out before the breaker opened
    if (this.#openings > 0 && !this.#probing) return
    if (this.#openings === 0 && this.#failures < failuresToOpen) return
    this.#openings++
    this.#probing = false
    this.#changedAt = this.#clock.monotonic()
    this.#retryAt = this.#clock.monotonic() + backoffMs(waits, this.#openings)
  }
}
