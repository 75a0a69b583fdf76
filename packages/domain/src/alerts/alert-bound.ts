import type { AlertLevel } from './condition.ts'
import type { Tracked } from './tracked.ts'

/** Beyond that nobody reads them, and each costs memory, disk and every open page. */
export const alertLimits = { ofSource: 2_000, inAll: 5_000 } as const
export type AlertLimits = { readonly [L in keyof typeof alertLimits]: number }

type Levels = Record<AlertLevel, Set<Tracked>>

/**
 * Which conditions become alerts when there are too many: the most severe ones. No source takes more than its share, and
 * where all together are too many the source with the most gives way first, as long as
 * it has more than twice as many. What finds no room is counted.
 */
export class AlertBound {
  readonly limits: AlertLimits
  readonly #sources = new Map<string, Levels>()
  /** under which source and level each is counted: another record of another source may speak for it since */
  readonly #countedAs = new Map<Tracked, { source: string; level: AlertLevel }>()
  readonly #refused = new Map<string, AlertLevel>()
  #criticalRefused = 0

  constructor(limits: AlertLimits = alertLimits) {
    this.limits = limits
  }

  /** It is an alert of this level. */
  opened(tracked: Tracked, level: AlertLevel): void {
    this.ended(tracked)
    const levels = this.#sources.get(tracked.source) ?? { critical: new Set(), warning: new Set() }
    this.#sources.set(tracked.source, levels)
    levels[level].add(tracked)
    this.#countedAs.set(tracked, { source: tracked.source, level })
  }

  ended(tracked: Tracked): void {
    const counted = this.#countedAs.get(tracked)
    if (!counted) return
    this.#countedAs.delete(tracked)
    const levels = this.#sources.get(counted.source)!
    levels[counted.level].delete(tracked)
    if (sizeOf(levels) === 0) this.#sources.delete(counted.source)
  }

  /** Whether there is room for one more; or the alert that gives way to it. */
  roomFor({ source }: Tracked, level: AlertLevel): true | Tracked | undefined {
    const own = this.#sources.get(source)
    const ownSize = own ? sizeOf(own) : 0
    if (ownSize >= this.limits.ofSource) return level === 'critical' ? latest(own!.warning) : undefined
    if (this.#countedAs.size < this.limits.inAll) return true
    const busiest = this.#busiest()!
    // two of nearly the same size would take turns, and each turn is a line of history
    if (sizeOf(busiest) > 2 * ownSize + 1)
      return latest(busiest.warning) ?? (level === 'critical' ? latest(busiest.critical) : undefined)
    return level === 'critical' ? this.#anyWarning() : undefined
  }

  /** It should be an alert, and found no room. */
  refuse(id: string, level: AlertLevel): void {
    this.withdraw(id)
    this.#refused.set(id, level)
    if (level === 'critical') this.#criticalRefused++
  }

  /** It is looked at again, or gone. */
  withdraw(id: string): void {
    if (this.#refused.get(id) === 'critical') this.#criticalRefused--
    this.#refused.delete(id)
  }

  get refused(): { count: number; level: AlertLevel } {
    return { count: this.#refused.size, level: this.#criticalRefused > 0 ? 'critical' : 'warning' }
  }

  /** One that is too many, as after a start on what an older version kept. */
  surplus(): Tracked | undefined {
    const busiest = this.#countedAs.size > this.limits.ofSource ? this.#busiest() : undefined
    if (!busiest) return undefined
    const isOver = this.#countedAs.size > this.limits.inAll || sizeOf(busiest) > this.limits.ofSource
    return isOver ? (latest(busiest.warning) ?? latest(busiest.critical)) : undefined
  }

  #busiest(): Levels | undefined {
    let most: Levels | undefined
    for (const levels of this.#sources.values()) if (!most || sizeOf(levels) > sizeOf(most)) most = levels
    return most
  }

  #anyWarning(): Tracked | undefined {
    for (const { warning } of this.#sources.values()) if (warning.size > 0) return latest(warning)
    return undefined
  }
}

const sizeOf = ({ critical, warning }: Levels): number => critical.size + warning.size

function latest(set: ReadonlySet<Tracked>): Tracked | undefined {
  let last: Tracked | undefined
  for (const one of set) last = one
  return last
}
