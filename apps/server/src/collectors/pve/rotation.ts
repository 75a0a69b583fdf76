import { backoffMs } from '../../timing/backoff.ts'

/** Before what failed on its way is tried again; twice as long every time. */
const againMs = 60_000
/** Between two looks at the same, however often it changes. */
const leastMs = 60_000

interface Turn {
  triedAt: number
  failures: number
  /** it was not read: when it is tried again, before its turn comes round */
  retryAt: number | undefined
}

export interface NextTurn<K> {
  key: K
  /** monotonic; it may have passed */
  at: number
}

/**
 * Whose turn it is among those that are looked at once in a while: what was never read, or has changed since, goes first;
 * the others follow one after the other, at even distances, so that each had its turn in that time.
 */
export class Rotation<K> {
  readonly #turns = new Map<K, Turn>()
  /** the last look at anything of a place; monotonic */
  readonly #askedAt = new Map<string, number>()

  /** `keys`: all that may be asked at that place. */
  next(
    place: string,
    keys: readonly K[],
    intervalMs: number,
    changedAt: (key: K) => number = never,
  ): NextTurn<K> | undefined {
    let urgent: NextTurn<K> | undefined
    let oldest: { key: K; triedAt: number } | undefined
    for (const key of keys) {
      const turn = this.#turns.get(key)
      if (!turn) return { key, at: -Infinity }
      const at = urgentAt(turn, changedAt(key))
      if (at < (urgent?.at ?? Infinity)) urgent = { key, at }
      if (!oldest || turn.triedAt < oldest.triedAt) oldest = { key, triedAt: turn.triedAt }
    }
    if (!oldest) return undefined
    const at = (this.#askedAt.get(place) ?? oldest.triedAt) + intervalMs / keys.length
    return urgent && urgent.at <= at ? urgent : { key: oldest.key, at }
  }

  begin(place: string, key: K, now: number): void {
    this.#askedAt.set(place, now)
    this.#turns.set(key, { triedAt: now, failures: this.#turns.get(key)?.failures ?? 0, retryAt: undefined })
  }

  answered(key: K): void {
    const turn = this.#turns.get(key)
    if (turn) turn.failures = 0
  }

  /** The way to it is at fault, and not what was asked: its turn is still to come. */
  missed(key: K, now: number, intervalMs: number): void {
    const turn = this.#turns.get(key)
    if (!turn) return
    turn.failures++
    turn.retryAt = now + backoffMs({ firstMs: againMs, longestMs: intervalMs }, turn.failures)
  }

  /** It had a look, in vain or not. */
  hasTried(key: K): boolean {
    return this.#turns.has(key)
  }

  forget(key: K): void {
    this.#turns.delete(key)
  }

  forgetPlace(place: string): void {
    this.#askedAt.delete(place)
  }
}

const never = () => -Infinity

function urgentAt({ triedAt, retryAt }: Turn, changedAt: number): number {
  const changed = changedAt > triedAt ? triedAt + leastMs : Infinity
  return Math.min(retryAt ?? Infinity, changed)
}
