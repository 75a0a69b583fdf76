import { hourMs } from './gates/hourly-cap.ts'

interface Sent {
  /** monotonic */
  at: number
  isFlood: boolean
}

/** Messages of a source within an hour, as a multiple of the hourly cap of one alert. */
const perSource = 10

/**
 * Alerts with changing names must not evade the hourly cap. A source with ten times the messages of one
 * alert, or with more alerts than one message can name, is a flood. A flood counts as one alert.
 */
export class SourceLimit {
  /** the latest message last */
  readonly #sent = new Map<string, Sent[]>()

  get size(): number {
    return this.#sent.size
  }

  note(stream: string, isFlood: boolean, at: number): void {
    const sent = [...this.#within(stream, at), { at, isFlood }]
    this.#sent.delete(stream)
    this.#sent.set(stream, sent)
    for (const other of this.#sent.keys()) {
      if (this.count(other, at) > 0) return
      this.#sent.delete(other)
    }
  }

  /** Messages within the hour. */
  count(stream: string, now: number): number {
    return this.#within(stream, now).length
  }

  isReached(stream: string, mostPerAlert: number, now: number): boolean {
    return mostPerAlert > 0 && this.count(stream, now) >= mostPerAlert * perSource
  }

  /** Monotonic; when the next message of a flood may be sent. Undefined: now. */
  floodUntil(stream: string, most: number, now: number): number | undefined {
    const floods = this.#within(stream, now).filter(({ isFlood }) => isFlood)
    return most <= 0 || floods.length < most ? undefined : floods[floods.length - most]!.at + hourMs
  }

  #within(stream: string, now: number): Sent[] {
    return (this.#sent.get(stream) ?? []).filter(({ at }) => at > now - hourMs)
  }
}
