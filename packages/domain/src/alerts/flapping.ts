import type { AlertConfig } from '@pulse/contract'
import type { StoredMemory } from './stored.ts'

type Settings = AlertConfig['flapping']
const minuteMs = 60_000

interface Entry {
  /** monotonic times of its latest changes */
  changes: number[]
  /** monotonic end of the suppression */
  until?: number | undefined
}

/** Detects flapping alerts. They are shown, but not sent until they have been stable for a while. */
export class Flapping {
  readonly #entries = new Map<string, Entry>()
  readonly #settings: () => Settings

  constructor(settings: () => Settings) {
    this.#settings = settings
  }

  /** Records a change, which extends a suppression. Returns the end of a suppression that began now. */
  note(id: string, at: number): number | undefined {
    const { enabled, threshold, window, suppressionTime, minStability } = this.#settings()
    if (!enabled) return undefined
    const entry = this.#entries.get(id) ?? { changes: [] }
    this.#entries.set(id, entry)
    entry.changes = [...entry.changes.filter((one) => one > at - window * minuteMs), at].slice(-threshold)
    if (entry.until !== undefined) {
      entry.until = Math.max(entry.until, at + minStability * window * minuteMs)
      return undefined
    }
    if (entry.changes.length < threshold) return undefined
    return (entry.until = at + suppressionTime * minuteMs)
  }

  untilOf(id: string): number | undefined {
    return this.#entries.get(id)?.until
  }

  /** Releases the alert, or returns the time until which it must stay stable. */
  release(id: string, at: number): number | undefined {
    const entry = this.#entries.get(id)
    if (entry?.until === undefined) return undefined
    if (this.#settings().enabled && at < entry.until) return entry.until
    this.#entries.delete(id)
    return undefined
  }

  /** Drops alerts without a change in the window and without suppression. */
  prune(at: number): void {
    const { window } = this.#settings()
    for (const [id, { changes, until }] of this.#entries)
      if (until === undefined && (changes.at(-1) ?? -Infinity) <= at - window * minuteMs)
        this.#entries.delete(id)
  }

  get size(): number {
    return this.#entries.size
  }

  /** `offset`: from monotonic to epoch ms. */
  store(offset: number): StoredMemory['flapping'] {
    return Object.fromEntries(
      [...this.#entries].map(([id, { changes, until }]) => [
        id,
        { changes: changes.map((at) => at + offset), ...(until !== undefined && { until: until + offset }) },
      ]),
    )
  }

  /** `now`, epoch ms: dates after it were written before the clock was set back. */
  restore(stored: StoredMemory['flapping'], now: number, offset: number): void {
    const longestMs = this.#settings().suppressionTime * minuteMs
    for (const [id, { changes, until }] of Object.entries(stored))
      this.#entries.set(id, {
        changes: changes.map((at) => Math.min(at, now) - offset),
        until: until === undefined ? undefined : Math.min(until, now + longestMs) - offset,
      })
  }

  latched(): [string, number][] {
    return [...this.#entries].flatMap(([id, { until }]) =>
      until === undefined ? [] : [[id, until] as [string, number]],
    )
  }
}
