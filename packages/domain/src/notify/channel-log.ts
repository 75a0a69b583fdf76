import type { Alert } from '@pulse/contract'
import type { Moment } from '../alerts/condition.ts'
import { hourMs } from './gates/hourly-cap.ts'
import type {
  DispatchItem,
  LedgerChanges,
  NotificationLogEntry,
  SentKind,
  TimedLogEntry,
} from './dispatch.ts'

/** The notification log of one channel: the messages sent about each episode. */
export class ChannelLog {
  readonly #channelId: string
  readonly #entries = new Map<string, TimedLogEntry>()
  #removed: LedgerChanges['remove'][number][] = []

  constructor(channelId: string) {
    this.#channelId = channelId
  }

  get(episode: string): TimedLogEntry | undefined {
    return this.#entries.get(episode)
  }

  has(episode: string): boolean {
    return this.#entries.has(episode)
  }

  all(): Iterable<NotificationLogEntry> {
    return this.#entries.values()
  }

  put(entry: TimedLogEntry): void {
    this.#entries.set(entry.episode, entry)
  }

  /** Adds a message that was delivered or given up. */
  add(
    { episode, alert, escalatedAfter, source }: DispatchItem,
    { kind, isDelivered }: { kind: SentKind; isDelivered: boolean },
    moment: Moment,
  ): NotificationLogEntry {
    const before = this.#entries.get(episode)
    const entry: TimedLogEntry = {
      episode,
      channelId: this.#channelId,
      alert: kind === 'raised' || !before?.isDelivered ? alert : withSentFigures(alert, before.alert),
      at: moment.now,
      monotonicAt: moment.monotonic,
      level: alert.level,
      escalatedAfter: Math.max(escalatedAfter, before?.escalatedAfter ?? 0),
      isDelivered: isDelivered || before?.isDelivered === true,
      ...(source !== undefined && { source }),
    }
    this.put(entry)
    return entry
  }

  remove(episode: string): void {
    if (this.#entries.delete(episode)) this.#removed.push({ episode, channelId: this.#channelId })
  }

  /** Entries removed since the last call, for the database. */
  takeRemoved(): LedgerChanges['remove'] {
    const removed = this.#removed
    this.#removed = []
    return removed
  }
}

/** Uses figure and threshold of the first message, so that the resolved message shows the same. */
export const withSentFigures = (alert: Alert, { message, value, threshold }: Alert): Alert => ({
  ...alert,
  message,
  value,
  threshold,
})

/** Escalations have their own hourly cap, so that reminders do not delay them. */
const keyOf = (alertId: string, isEscalation: boolean): string =>
  isEscalation ? `escalated ${alertId}` : `sent ${alertId}`

/** Times of messages about each alert to one channel, within the last hour (monotonic). */
export class SentMessages {
  /** the latest message last */
  readonly #times = new Map<string, number[]>()

  get size(): number {
    return this.#times.size
  }

  add(alertIds: readonly string[], isEscalation: boolean, at: number): void {
    for (const id of alertIds) {
      const key = keyOf(id, isEscalation)
      const times = (this.#times.get(key) ?? []).filter((time) => time > at - hourMs)
      this.#times.delete(key)
      this.#times.set(key, [...times, at])
    }
    for (const [key, times] of this.#times) {
      if (times.at(-1)! > at - hourMs) return
      this.#times.delete(key)
    }
  }

  /** The oldest first. */
  of(alertId: string, isEscalation: boolean): readonly number[] {
    return this.#times.get(keyOf(alertId, isEscalation)) ?? []
  }
}
