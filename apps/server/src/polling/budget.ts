import type { Clock } from '@pulse/domain'
import { SlidingWindow } from '../timing/rate-limit.ts'

const windowMs = 60_000
/** A rhythm that fills its minute exactly is a few milliseconds early at times. That is no shortage. */
export const noticeableMs = 250

/** Limits the calls in any minute, by key. */
export class Budget {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  limit(key: string, calls: number): void {
    this.#entry(key).limit = calls
  }

  /**
   * Returns 0 and counts the call, or counts the deferral and returns the milliseconds until a call is free.
   */
  take(key: string): number {
    const entry = this.#entry(key)
    const waitMs = entry.calls.take(entry.limit)
    if (waitMs > noticeableMs) entry.deferred++
    return waitMs
  }

  /** Uncounts a call that was never made. */
  refund(key: string): void {
    this.#entry(key).calls.refund()
  }

  /** Milliseconds until the oldest call of the last minute no longer counts. */
  freeInMs(key: string): number {
    const { calls } = this.#entry(key)
    return calls.waitMs(calls.count())
  }

  count(key: string): number {
    return this.#entry(key).calls.count()
  }

  deferred(key: string): number {
    return this.#entry(key).deferred
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { limit: 0, calls: new SlidingWindow(this.#clock, windowMs), deferred: 0 }
      this.#entries.set(key, entry)
    }
    return entry
  }
}

interface Entry {
  limit: number
  calls: SlidingWindow
  deferred: number
}
