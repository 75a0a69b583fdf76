import type { AlertLevel } from './condition.ts'
import type { Tracked } from './tracked.ts'

/** Users do not read longer lists, and each alert costs memory, disk space and work on every open page. */
export const alertLimits = { ofSource: 2_000, inAll: 5_000 } as const
export type AlertLimits = { readonly [L in keyof typeof alertLimits]: number }

/**
 * The lowest rank makes room first: an acknowledged warning 0, a warning 1, an acknowledged critical alert 2,
 * any other 3.
 */
type Rank = number
const ranks = 4
const rankOf = (level: AlertLevel, isAcknowledged: boolean): Rank =>
  (level === 'critical' ? 2 : 0) + (isAcknowledged ? 0 : 1)
const highestOf = (level: AlertLevel): Rank => rankOf(level, false)

/** The alerts of one source, by rank. */
interface Own {
  readonly ofRank: readonly Set<Tracked>[]
  size: number
}

/**
 * Selects the conditions that become alerts when there are too many: the most severe first, then the
 * unacknowledged. No source gets more than its share. When the total is too high, the source with the most
 * alerts loses some first, as long as it has more than twice as many. Conditions without room are counted.
 */
export class AlertBound {
  readonly limits: AlertLimits
  readonly #sources = new Map<string, Own>()
  /** in all sources */
  readonly #countOfRank = Array<number>(ranks).fill(0)
  /** source and rank under which each alert is counted; its owner may have changed since */
  readonly #countedAs = new Map<Tracked, { source: string; rank: Rank }>()
  readonly #refused = new Map<string, AlertLevel>()
  #criticalRefused = 0

  constructor(limits: AlertLimits = alertLimits) {
    this.limits = limits
  }

  /** Counts an open alert of this level. */
  opened(tracked: Tracked, level: AlertLevel, isAcknowledged: boolean): void {
    this.ended(tracked)
    const { source } = tracked
    const rank = rankOf(level, isAcknowledged)
    const own = this.#sources.get(source) ?? noAlerts()
    this.#sources.set(source, own)
    own.ofRank[rank]!.add(tracked)
    own.size++
    this.#countOfRank[rank]!++
    this.#countedAs.set(tracked, { source, rank })
  }

  ended(tracked: Tracked): void {
    const counted = this.#countedAs.get(tracked)
    if (!counted) return
    this.#countedAs.delete(tracked)
    const own = this.#sources.get(counted.source)!
    own.ofRank[counted.rank]!.delete(tracked)
    own.size--
    this.#countOfRank[counted.rank]!--
    if (own.size === 0) this.#sources.delete(counted.source)
  }

  /**
   * Returns true if there is room, or else the alert to displace. An earlier acknowledgement survives firing.
   */
  roomFor({ source }: Tracked, level: AlertLevel, isAcknowledged: boolean): true | Tracked | undefined {
    const rank = rankOf(level, isAcknowledged)
    const own = this.#sources.get(source)
    const ownSize = own?.size ?? 0
    if (ownSize >= this.limits.ofSource) return lowest(own!, rank - 1)
    if (this.#countedAs.size < this.limits.inAll) return true
    const busiest = this.#busiest()!
    // two sources of similar size would displace each other in turn, and fill the history
    if (busiest.size > 2 * ownSize + 1) return lowest(busiest, highestOf(level))
    return this.#anyBelow(rank)
  }

  /** Counts a condition without room. */
  refuse(id: string, level: AlertLevel): void {
    this.withdraw(id)
    this.#refused.set(id, level)
    if (level === 'critical') this.#criticalRefused++
  }

  /** Stops counting it, because it is evaluated again or gone. */
  withdraw(id: string): void {
    if (this.#refused.get(id) === 'critical') this.#criticalRefused--
    this.#refused.delete(id)
  }

  get refused(): { count: number; level: AlertLevel } {
    return { count: this.#refused.size, level: this.#criticalRefused > 0 ? 'critical' : 'warning' }
  }

  /** An alert beyond the limits, for instance after the start with alerts of an older version. */
  surplus(): Tracked | undefined {
    const busiest = this.#countedAs.size > this.limits.ofSource ? this.#busiest() : undefined
    if (!busiest) return undefined
    const isOver = this.#countedAs.size > this.limits.inAll || busiest.size > this.limits.ofSource
    return isOver ? lowest(busiest, ranks - 1) : undefined
  }

  #busiest(): Own | undefined {
    let most: Own | undefined
    for (const own of this.#sources.values()) if (!most || own.size > most.size) most = own
    return most
  }

  #anyBelow(rank: Rank): Tracked | undefined {
    const found = this.#countOfRank.findIndex((count, one) => one < rank && count > 0)
    if (found < 0) return undefined
    for (const own of this.#sources.values()) if (own.ofRank[found]!.size > 0) return lowest(own, found)
    return undefined
  }
}

const noAlerts = (): Own => ({
  ofRank: Array.from({ length: ranks }, () => new Set<Tracked>()),
  size: 0,
})

/** The latest alert of the lowest rank, up to this rank. */
function lowest({ ofRank }: Own, most: Rank): Tracked | undefined {
  const set = ofRank.find(({ size }, rank) => rank <= most && size > 0)
  let last: Tracked | undefined
  for (const one of set ?? []) if (!last || beganAt(one) >= beganAt(last)) last = one
  return last
}

const beganAt = ({ open }: Tracked): number => open?.beganAt ?? -Infinity
