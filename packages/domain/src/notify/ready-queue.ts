import type { Moment } from '../alerts/condition.ts'
import { type Batch, fitting } from './batch.ts'
import {
  type Capacity,
  type Episode,
  isCritical,
  type Ready,
  type Settings,
  type Wanted,
} from './dispatch.ts'
import { divide } from './grouping.ts'
import { SourceLimit } from './source-limit.ts'

/** Alerts that may wait for one channel. Further ones are counted, and queued when there is room. */
export const queueLimit = 10_000
/** Alerts of one source and severity that always have room, however many other sources have queued. */
export const sourceLimit = 100
/** Unnamed alerts wait at least this long for the next message. */
const followUpMs = 60_000

const streamOf = ({ source, alert }: Episode, { kind }: Wanted): string =>
  `${kind === 'resolved' ? 'resolved' : isCritical(alert) ? 'critical' : 'warning'} ${source}`
const isResolved = ({ wanted }: Pick<Ready, 'wanted'>): boolean => wanted.kind === 'resolved'

/**
 * Alerts that one channel receives when its window ends. No source can fill the queue or delay the others.
 */
export class ReadyQueue {
  readonly limit = new SourceLimit()
  readonly #entries = new Map<string, Ready>()
  readonly #streams = new Map<string, Set<string>>()
  /** alerts without a line in the last message */
  readonly #left = new Set<string>()
  #leftUntil = -Infinity

  get size(): number {
    return this.#entries.size
  }

  has(episode: string): boolean {
    return this.#entries.has(episode)
  }

  get(episode: string): Ready | undefined {
    return this.#entries.get(episode)
  }

  all(): Iterable<Ready> {
    return this.#entries.values()
  }

  /** Returns false when the queue is full. */
  put(episode: Episode, wanted: Wanted): boolean {
    const stream = streamOf(episode, wanted)
    const own = this.#streams.get(stream) ?? new Set()
    if (this.#entries.size >= queueLimit && own.size >= sourceLimit) return false
    this.#entries.set(episode.id, { episode, wanted, stream })
    this.#streams.set(stream, own.add(episode.id))
    return true
  }

  /** The alert is sent, or decided again. */
  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#entries.delete(id)
    const own = this.#streams.get(entry.stream)!
    own.delete(id)
    if (own.size === 0) this.#streams.delete(entry.stream)
  }

  /** A message was sent that did not name the alert. */
  leave(id: string, { monotonic }: Moment): void {
    this.#forgetEndedWait(monotonic)
    if (this.#left.size === 0) this.#leftUntil = monotonic + followUpMs
    this.#left.add(id)
  }

  #forgetEndedWait(monotonic: number): void {
    if (this.#leftUntil <= monotonic) this.#left.clear()
  }

  /**
   * Messages to send now, each with at most as many alerts as it can name. The others stay. Resolved alerts
   * come first. Those in `awaited` come before all others, because they fire again.
   */
  take(settings: Settings, capacity: Capacity, { asOne, awaited }: TakeOptions): Batch[] {
    const { config, moment } = settings
    this.#forgetEndedWait(moment.monotonic)
    const due = [...this.#entries.values()].filter(({ episode }) => !this.#left.has(episode.id))
    const grouping = asOne
      ? { ...config.schedule.grouping, enabled: true, byNode: false, byGuest: false }
      : config.schedule.grouping
    const isFlood = (stream: string) => this.#isFlood(stream, settings, capacity)
    const part = (entries: readonly Ready[], most: number): Batch[] =>
      divide(entries, grouping, isFlood).map((list) =>
        fitting(list, most, {
          awaited,
          isFlood,
          recent: (stream) => this.limit.count(stream, moment.monotonic),
        }),
      )
    const over = part(due.filter(isResolved), capacity.resolved)
    this.#settle(over, moment)
    const ending = new Set(
      [...this.#entries.values()].filter(isResolved).map(({ episode }) => episode.alert.id),
    )
    const mayFire = (entry: Ready) =>
      !isResolved(entry) &&
      !ending.has(entry.episode.alert.id) &&
      this.cappedUntil(entry.stream, settings, capacity) === undefined
    const firing = part(due.filter(mayFire), capacity.firing)
    this.#settle(firing, moment)
    return [...over, ...firing]
  }

  /** Monotonic; when the alerts left by `take` are considered again. */
  nextAt(settings: Settings, capacity: Capacity, windowMs: number): number | undefined {
    if (this.#entries.size === 0) return undefined
    const { monotonic } = settings.moment
    const soon = monotonic + Math.max(windowMs, followUpMs)
    return Math.min(
      ...[...this.#streams.keys()].map((stream) => this.cappedUntil(stream, settings, capacity) ?? soon),
    )
  }

  /** Monotonic; end of the wait of this stream's flood for the hourly cap. */
  cappedUntil(stream: string, settings: Settings, capacity: Capacity): number | undefined {
    if (stream.startsWith('resolved ') || !this.#isFlood(stream, settings, capacity)) return undefined
    const { config, moment } = settings
    return this.limit.floodUntil(stream, config.schedule.maxAlertsHour, moment.monotonic)
  }

  #isFlood(stream: string, { config, moment }: Settings, capacity: Capacity): boolean {
    const most = stream.startsWith('resolved ') ? capacity.resolved : capacity.firing
    return (
      (this.#streams.get(stream)?.size ?? 0) > most ||
      this.limit.isReached(stream, config.schedule.maxAlertsHour, moment.monotonic)
    )
  }

  #settle(batches: readonly Batch[], moment: Moment): void {
    for (const { named, left } of batches) {
      for (const { episode } of named) {
        this.remove(episode.id)
        this.#left.delete(episode.id)
      }
      for (const { episode } of left) this.leave(episode.id, moment)
    }
  }
}

interface TakeOptions {
  /** as few messages as possible */
  asOne: boolean
  /** ids of alerts */
  awaited: ReadonlySet<string>
}
