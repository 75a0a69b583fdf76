import type { Clock } from '@pulse/domain'

const windowMs = 60_000
/** A rhythm that fills its minute exactly is a few milliseconds early at times: that is no shortage. */
export const noticeableMs = 250

/** How many calls may go out in any minute, by key. */
export class Budget {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  limit(key: string, calls: number): void {
    this.#window(key).limit = calls
  }

  /** 0 and the call is counted; else the milliseconds until one is free, and the deferral is counted. */
  take(key: string): number {
    const window = this.#window(key)
    const now = this.#clock.monotonic()
    const used = expire(window, now)
    if (used < window.limit) {
      window.times.push(now)
      return 0
    }
    const oldest = window.times[window.times.length - window.limit]
    const waitMs = oldest === undefined ? windowMs : Math.max(1, oldest + windowMs - now)
    if (waitMs > noticeableMs) window.deferred++
    return waitMs
  }

  /** Takes it back: the call was never made. */
  giveBack(key: string): void {
    this.#window(key).times.pop()
  }

  /** Milliseconds until the oldest call of the last minute no longer counts. */
  freeInMs(key: string): number {
    const window = this.#window(key)
    const now = this.#clock.monotonic()
    const oldest = expire(window, now) > 0 ? window.times[window.first]! : now
    return Math.max(1, oldest + windowMs - now)
  }

  count(key: string): number {
    return expire(this.#window(key), this.#clock.monotonic())
  }

  deferred(key: string): number {
    return this.#window(key).deferred
  }

  drop(key: string): void {
    this.#windows.delete(key)
  }

  #window(key: string): Window {
    let window = this.#windows.get(key)
    if (!window) this.#windows.set(key, (window = { limit: 0, times: [], first: 0, deferred: 0 }))
    return window
  }
}

interface Window {
  limit: number
  /** ascending; those before `first` are over a minute old */
  times: number[]
  first: number
  deferred: number
}

function expire(window: Window, now: number): number {
  const { times } = window
  while (window.first < times.length && times[window.first]! <= now - windowMs) window.first++
  if (window.first > 64 && window.first * 2 > times.length) {
    times.splice(0, window.first)
    window.first = 0
  }
  return times.length - window.first
}
