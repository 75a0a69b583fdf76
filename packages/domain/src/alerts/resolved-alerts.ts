import type { ResolvedAlert } from '@pulse/contract'
import type { Ending, StoredAlert, StoredGone } from './stored.ts'

const minuteMs = 60_000
/** More than a whole estate has to tell; containers with random names would be remembered without end. */
export const mostGone = 10_000
/** Whatever comes back within that time goes on as it was. */
export const reopenMs = 5 * minuteMs
/** That somebody has acknowledged it is remembered for so long at least. */
export const rememberedMs = 60 * minuteMs

export interface Gone {
  stored: StoredAlert
  ending: Ending
  /** monotonic */
  endedAt: number
  /** monotonic; when what it told began */
  beganAt: number
}

/** The alerts that have ended: for an hour, and for five minutes as people see them. Of very many the latest. */
export class GoneAlerts {
  /** the oldest first */
  readonly #gone = new Map<string, Gone>()
  readonly #shown = new Map<string, ResolvedAlert>()

  get shown(): ReadonlyMap<string, ResolvedAlert> {
    return this.#shown
  }

  get size(): number {
    return this.#gone.size
  }

  get(id: string): Gone | undefined {
    return this.#gone.get(id)
  }

  add(id: string, gone: Gone, resolved: ResolvedAlert | undefined): void {
    this.take(id)
    this.#gone.set(id, gone)
    if (resolved) this.#shown.set(id, resolved)
    if (this.#gone.size > mostGone) this.take(this.#gone.keys().next().value!)
  }

  /** It is back. */
  take(id: string): void {
    this.#gone.delete(id)
    this.#shown.delete(id)
  }

  /** Drops what is due, and tells when to look at this one again. */
  expire(id: string, at: number): number | undefined {
    const gone = this.#gone.get(id)
    if (!gone) return undefined
    if (at < gone.endedAt + reopenMs) return gone.endedAt + reopenMs
    this.#shown.delete(id)
    if (at < gone.endedAt + rememberedMs) return gone.endedAt + rememberedMs
    this.#gone.delete(id)
    return undefined
  }

  /** `offset`: from monotonic to epoch ms. */
  store(offset: number): StoredGone[] {
    return [...this.#gone.values()].map(({ stored, ending, endedAt }) => ({
      stored,
      ending,
      endedAt: endedAt + offset,
    }))
  }

  restore(stored: readonly StoredGone[], now: number, offset: number): void {
    const latest = new Map(stored.map((one) => [one.stored.alert.id, one]))
    for (const one of [...latest.values()].sort((a, b) => a.endedAt - b.endedAt)) {
      // What is dated in the future was written before somebody set the clock back.
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
    return [...this.#gone.keys()]
  }
}
