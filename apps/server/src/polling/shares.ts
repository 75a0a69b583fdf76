import type { Clock } from '@pulse/domain'
import { Budget, noticeableMs } from './budget.ts'

const ALL = 'all'
const minute = 60_000
/** Sums of floating-point tenths are not exact. */
const tolerance = 1e-6

/**
 * A budget shared by several users. Its limit is the sum of their calls per minute. A user within its share
 * may call at any time. Beyond it, the user gets only calls that no other can still claim in this minute. A
 * share below one per minute is one call in several minutes, which waits for a minute with room.
 */
export class Shares {
  readonly #clock: Clock
  readonly #slack: number
  readonly #budget: Budget
  readonly #shares = new Map<string, number>()
  /** the last call of each user with a share below one per minute */
  readonly #lastAt = new Map<string, number>()
  #spare = 0
  #deferred = 0

  /** `slack`: the limit is the sum times this factor. */
  constructor(clock: Clock, slack = 1) {
    this.#clock = clock
    this.#slack = slack
    this.#budget = new Budget(clock)
  }

  /** Sets the share of each user, and how many more calls are free for all. Earlier calls still count. */
  set(shares: ReadonlyMap<string, number>, spare = 0): void {
    this.#spare = spare
    for (const name of this.#shares.keys()) if (!shares.has(name)) this.#shares.delete(name)
    for (const [name, share] of shares) this.#shares.set(name, share)
    this.#budget.limit(ALL, this.limit)
  }

  /** The most calls in any minute. */
  get limit(): number {
    return Math.ceil(this.sum * this.#slack - tolerance)
  }

  get sum(): number {
    return [...this.#shares.values()].reduce((sum, share) => sum + share, this.#spare)
  }

  /**
   * Returns 0 and counts the call, or counts the deferral and returns the milliseconds until one may be free.
   */
  take(name: string): number {
    if (this.#left(name) < 1 && this.limit - this.#budget.count(ALL) - this.#owedBeside(name) < 1) {
      const waitMs = Math.min(this.#budget.freeInMs(ALL), this.#renewedInMs(name) || minute)
      // A share below one waits for a minute with room. That is its normal rhythm and no shortage.
      if (waitMs > noticeableMs && !this.#isPart(name)) this.#deferred++
      return waitMs
    }
    const waitMs = this.#budget.take(ALL)
    if (waitMs === 0) this.#countOwn(name)
    return waitMs
  }

  /**
   * The first poll of something that is polled every few minutes comes soon. It is outside the steady state:
   * it counts for its own share and delays no other user.
   */
  takeOrFirst(name: string, isFirst: boolean): number {
    if (!isFirst) return this.take(name)
    this.#countOwn(name)
    return 0
  }

  /** Counts a call of a run that was admitted as a whole. */
  charge(name: string): void {
    this.#countOwn(name)
    this.#budget.take(ALL)
  }

  /** Whether one more call fits the limit and, with a name, that user's share. */
  hasRoom(name?: string): boolean {
    const own = name === undefined ? Infinity : Math.ceil((this.#shares.get(name) ?? 0) * this.#slack)
    return this.count() < this.limit && (name === undefined || this.count(name) < own)
  }

  /** Uncounts a call that was never made. */
  refund(name: string): void {
    this.#budget.refund(ALL)
    this.#budget.refund(name)
  }

  /** Calls of the last minute, of all users or of one. */
  count(name: string = ALL): number {
    return this.#budget.count(name)
  }

  get deferred(): number {
    return this.#deferred + this.#budget.deferred(ALL)
  }

  #countOwn(name: string): void {
    this.#budget.limit(name, Infinity)
    this.#budget.take(name)
    this.#lastAt.set(name, this.#clock.monotonic())
  }

  /** Calls that other users can still claim in this minute. */
  #owedBeside(name: string): number {
    let owed = 0
    let isPartDue = false
    let roomForParts = this.limit - this.#spare
    for (const [other, share] of this.#shares) {
      roomForParts -= share < 1 ? this.count(other) : Math.floor(share)
      if (other === name) continue
      owed += this.#left(other)
      isPartDue ||= share < 1 && this.#renewedInMs(other) === 0
    }
    const share = this.#shares.get(name) ?? 0
    // A rhythm that was late once looks like one call too many.
    const mayCome = share >= 1 ? this.count(name) === Math.floor(share) : this.#renewedInMs(name) === 0
    return owed + (isPartDue && !mayCome && roomForParts > 0 ? 1 : 0)
  }

  #isPart(name: string): boolean {
    const share = this.#shares.get(name) ?? 0
    return share > 0 && share < 1
  }

  /** Whole calls left of its share in this minute. */
  #left(name: string): number {
    return Math.max(0, Math.floor(this.#shares.get(name) ?? 0) - this.#budget.count(name))
  }

  /** Milliseconds until its own share allows a call again. */
  #renewedInMs(name: string): number {
    const share = this.#shares.get(name) ?? 0
    if (share === 0) return Infinity
    if (share >= 1) return this.#left(name) > 0 ? 0 : this.#budget.freeInMs(name)
    const lastAt = this.#lastAt.get(name) ?? -Infinity
    return Math.max(0, lastAt + minute / share - this.#clock.monotonic())
  }
}
