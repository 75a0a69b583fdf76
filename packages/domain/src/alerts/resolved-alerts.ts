import type { ResolvedAlert } from '@pulse/contract'
import type { Ending, StoredAlert, StoredResolved } from './stored.ts'

const minuteMs = 60_000
/** Without this limit, containers with random names would fill the memory. */
export const maxResolved = 10_000
/** A condition that returns within this time continues the same alert. */
export const reopenMs = 5 * minuteMs
/** An acknowledgement is remembered for at least this time. */
export const rememberedMs = 60 * minuteMs

export interface ResolvedEntry {
  stored: StoredAlert
  ending: Ending
  /** monotonic */
  endedAt: number
  /** monotonic; when the condition began */
  beganAt: number
}

/** Resolved alerts: kept for an hour, shown for five minutes, at most the latest `maxResolved`. */
export class ResolvedAlerts {
  /** the oldest first */
  readonly #entries = new Map<string, ResolvedEntry>()
  readonly #shown = new Map<string, ResolvedAlert>()

  get shown(): ReadonlyMap<string, ResolvedAlert> {
    return this.#shown
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: string): ResolvedEntry | undefined {
    return this.#entries.get(id)
  }

  add(id: string, entry: ResolvedEntry, resolved: ResolvedAlert | undefined): void {
    this.take(id)
    this.#entries.set(id, entry)
    if (resolved) this.#shown.set(id, resolved)
    if (this.#entries.size > maxResolved) this.take(this.#entries.keys().next().value!)
  }

  /** The condition returned, or the entry is dropped. */
  take(id: string): void {
    this.#entries.delete(id)
    this.#shown.delete(id)
  }

  /** Drops an expired entry. Returns when to call it again. */
  expire(id: string, at: number): number | undefined {
    const entry = this.#entries.get(id)
    if (!entry) return undefined
    if (at < entry.endedAt + reopenMs) return entry.endedAt + reopenMs
    this.#shown.delete(id)
    if (at < entry.endedAt + rememberedMs) return entry.endedAt + rememberedMs
    this.#entries.delete(id)
    return undefined
  }

  /** `offset`: from monotonic to epoch ms. */
  store(offset: number): StoredResolved[] {
    return [...this.#entries.values()].map(({ stored, ending, endedAt }) => ({
      stored,
      ending,
      endedAt: endedAt + offset,
    }))
  }

  restore(stored: readonly StoredResolved[], now: number, offset: number): void {
    const latest = new Map(stored.map((one) => [one.stored.alert.id, one]))
    for (const one of [...latest.values()].sort((a, b) => a.endedAt - b.endedAt)) {
      // A date in the future was written before the clock was set back.
      const endedAt = Math.min(one.endedAt, now)
      const beganAt = Math.min(Date.parse(one.stored.alert.startTime), endedAt)
      this.add(
        one.stored.alert.id,
        { stored: one.stored, ending: one.ending, endedAt: endedAt - offset, beganAt: beganAt - offset },
        one.ending === 'cleared'
          ? undefined
          : { ...one.stored.alert, resolvedTime: new Date(endedAt).toISOString() },
      )
    }
  }

  keys(): string[] {
    return [...this.#entries.keys()]
  }
}
