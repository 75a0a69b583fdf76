import type { Clock } from '@pulse/domain'

type MonotonicClock = Pick<Clock, 'monotonic'>

/** Uses the monotonic clock: setting the wall clock neither opens nor closes a limit. */
export class SlidingWindow {
  readonly #clock: MonotonicClock
  readonly #windowMs: number
  /** Ascending. Entries before `#first` have left the window. */
  #times: number[] = []
  #first = 0

  constructor(clock: MonotonicClock, windowMs: number) {
    this.#clock = clock
    this.#windowMs = windowMs
  }

  /**
   * Counts one and returns 0, or returns the milliseconds until fewer than `limit` entries are in the window.
   */
  take(limit: number): number {
    const waitMs = this.waitMs(limit)
    if (waitMs === 0) this.#times.push(this.#clock.monotonic())
    return waitMs
  }

  /**
   * The milliseconds until `take` succeeds. A limit of 0 admits nothing; then the wait is the whole window.
   */
  waitMs(limit: number): number {
    if (this.count() < limit) return 0
    const blocking = this.#times[this.#times.length - limit]
    if (blocking === undefined) return this.#windowMs
    return Math.max(1, blocking + this.#windowMs - this.#clock.monotonic())
  }

  count(): number {
    const oldest = this.#clock.monotonic() - this.#windowMs
    while (this.#first < this.#times.length && this.#times[this.#first]! <= oldest) this.#first++
    if (this.#first > 64 && this.#first * 2 > this.#times.length) {
      this.#times.splice(0, this.#first)
      this.#first = 0
    }
    return this.#times.length - this.#first
  }

  /** Takes back the newest entry. */
  refund(): void {
    if (this.count() > 0) this.#times.pop()
  }
}

/** One window per key. Above `keys`, the least recently used key is dropped. */
export function slidingWindows(
  clock: MonotonicClock,
  { windowMs, keys }: { windowMs: number; keys: number },
): (key: string) => SlidingWindow {
  return recentlyUsed(keys, () => new SlidingWindow(clock, windowMs))
}

export interface TokenBucketOptions {
  /** Tokens available at once. */
  burst: number
  /** Tokens per second after the burst. */
  perSecond: number
  /** Above this number, the least recently used key is dropped. */
  keys: number
}

export interface TokenBuckets {
  /**
   * Takes 1 or `amount` tokens and returns 0, or returns the milliseconds until a token is available. An
   * amount above the rest succeeds, and the next call waits until it is paid back.
   */
  take(key: string, amount?: number): number
  /** The milliseconds until `take` succeeds. */
  waitMs(key: string): number
}

/** A token bucket per key. */
export function tokenBuckets(
  clock: MonotonicClock,
  { burst, perSecond, keys }: TokenBucketOptions,
): TokenBuckets {
  const bucketOf = recentlyUsed(keys, () => ({ tokens: burst, at: clock.monotonic() }))

  function refilled(key: string) {
    const bucket = bucketOf(key)
    const now = clock.monotonic()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    return bucket
  }

  const waitOf = ({ tokens }: { tokens: number }) => (tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000)

  return {
    take(key, amount = 1) {
      const bucket = refilled(key)
      const waitMs = waitOf(bucket)
      if (waitMs === 0) bucket.tokens -= amount
      return waitMs
    },
    waitMs: (key) => waitOf(refilled(key)),
  }
}

/** Keeps this many entries. Reading an entry counts as use. */
function recentlyUsed<Entry>(keys: number, create: () => Entry): (key: string) => Entry {
  const entries = new Map<string, Entry>()
  return (key) => {
    const entry = entries.get(key) ?? create()
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > keys) entries.delete(entries.keys().next().value!)
    return entry
  }
}
