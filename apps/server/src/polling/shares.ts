import type { Clock } from '@pulse/domain'
import { Budget, noticeableMs } from './budget.ts'

const ALL = 'all'
const minute = 60_000
/** Sums of tenths are not exact. */
const tolerance = 1e-6

/**
 * One budget that several share: it is the sum of what each may ask in a minute. A user within its own share gets
 * a call at any time; beyond that it gets what no other is still owed in this minute. A share below one a minute is
 * one call in as many minutes, which waits for a minute that has room for it.
 */
export class Shares {
  readonly #clock: Clock
  readonly #slack: number
  readonly #budget: Budget
  readonly #shares = new Map<string, number>()
  /** when those with less than one a minute had their last call */
  readonly #lastAt = new Map<string, number>()
  #spare = 0
  #deferred = 0

  /** `slack`: the limit is so many times the sum. */
  constructor(clock: Clock, slack = 1) {
    this.#clock = clock
    this.#slack = slack
    this.#budget = new Budget(clock)
  }

  /** What each may ask from now on, and how many more are free for all; what was asked before still counts. */
  set(shares: ReadonlyMap<string, number>, spare = 0): void {
    this.#spare = spare
    for (const name of this.#shares.keys()) if (!shares.has(name)) this.#shares.delete(name)
    for (const [name, share] of shares) this.#shares.set(name, share)
    this.#budget.limit(ALL, this.limit)
  }

  /** How many calls may go out in any minute. */
  get limit(): number {
    return Math.ceil(this.sum * this.#slack - tolerance)
  }

  get sum(): number {
    return [...this.#shares.values()].reduce((sum, share) => sum + share, this.#spare)
  }

  /** 0 and the call is counted; else the milliseconds until one may be free, and the deferral is counted. */
  take(name: string): number {
    if (this.#left(name) < 1 && this.limit - this.#budget.count(ALL) - this.#owedBeside(name) < 1) {
      const waitMs = Math.min(this.#budget.freeInMs(ALL), this.#renewedInMs(name) || minute)
      // What comes once in several minutes waits for one with room: that is its rhythm, and no shortage.
      if (waitMs > noticeableMs && !this.#isPart(name)) this.#deferred++
      return waitMs
    }
    const waitMs = this.#budget.take(ALL)
    if (waitMs === 0) this.#countOwn(name)
    return waitMs
  }

  /**
   * The first poll of something that is polled every few minutes comes soon: outside the steady state, it counts for its
   * own share and delays no other.
   */
  takeOrFirst(name: string, isFirst: boolean): number {
    if (!isFirst) return this.take(name)
    this.#countOwn(name)
    return 0
  }

  /** Counts a call of a run that was let in as a whole. */
  charge(name: string): void {
    this.#countOwn(name)
    this.#budget.take(ALL)
  }

  /** Whether a call fits in, of all and of this one's own share. */
  hasRoom(name?: string): boolean {
    const own = name === undefined ? Infinity : Math.ceil((this.#shares.get(name) ?? 0) * this.#slack)
    return this.count() < this.limit && (name === undefined || this.count(name) < own)
  }

  /** Takes it back: the call was never made. */
  refund(name: string): void {
    this.#budget.refund(ALL)
    this.#budget.refund(name)
  }

  /** Calls of the last minute, of all or of one. */
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

  /** Calls that others may still ask for in this minute. */
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

  /** Whole calls that are left of its share in this minute. */
  #left(name: string): number {
    return Math.max(0, Math.floor(this.#shares.get(name) ?? 0) - this.#budget.count(name))
  }

  /** Milliseconds until it may ask on its own share again. */
  #renewedInMs(name: string): number {
    const share = this.#shares.get(name) ?? 0
    if (share === 0) return Infinity
    if (share >= 1) return this.#left(name) > 0 ? 0 : this.#budget.freeInMs(name)
    const lastAt = this.#lastAt.get(name) ?? -Infinity
    return Math.max(0, lastAt + minute / share - this.#clock.monotonic())
  }
}
