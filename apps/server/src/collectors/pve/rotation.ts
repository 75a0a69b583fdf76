import { backoffMs } from '../../timing/backoff.ts'

/** The first pause after a connection failure. It doubles with every failure. */
const againMs = 60_000
/** The shortest interval of reads of one item, even if it changes more often. */
const leastMs = 60_000

interface Turn {
  triedAt: number
  failures: number
  /** the time of the retry, if it could not be read */
  retryAt: number | undefined
}

export interface NextTurn<K> {
  key: K
  /** monotonic; it may have passed */
  at: number
}

/**
 * Selects the next item among those that are read at a long interval. Items that were never read, or have
 * changed since, come first. The others follow at even distances, so that each is read once per interval.
 */
export class Rotation<K> {
  readonly #turns = new Map<K, Turn>()
  /** the last read of any item of a node; monotonic */
  readonly #askedAt = new Map<string, number>()

  /** `keys`: all items that can be read at that node. */
  next(
    node: string,
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
    const at = (this.#askedAt.get(node) ?? oldest.triedAt) + intervalMs / keys.length
    return urgent && urgent.at <= at ? urgent : { key: oldest.key, at }
  }

  begin(node: string, key: K, now: number): void {
    this.#askedAt.set(node, now)
    this.#turns.set(key, { triedAt: now, failures: this.#turns.get(key)?.failures ?? 0, retryAt: undefined })
  }

  answered(key: K): void {
    const turn = this.#turns.get(key)
    if (turn) turn.failures = 0
  }

  /** The connection failed, not the query, so the item is still due. */
  missed(key: K, now: number, intervalMs: number): void {
    const turn = this.#turns.get(key)
    if (!turn) return
    turn.failures++
    turn.retryAt = now + backoffMs({ firstMs: againMs, longestMs: intervalMs }, turn.failures)
  }

  /** Whether a read was attempted, successful or not. */
  hasTried(key: K): boolean {
    return this.#turns.has(key)
  }

  forget(key: K): void {
    this.#turns.delete(key)
  }

  forgetNode(node: string): void {
    this.#askedAt.delete(node)
  }
}

const never = () => -Infinity

function urgentAt({ triedAt, retryAt }: Turn, changedAt: number): number {
  const changed = changedAt > triedAt ? triedAt + leastMs : Infinity
  return Math.min(retryAt ?? Infinity, changed)
}
