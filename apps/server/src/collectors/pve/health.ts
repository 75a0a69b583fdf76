import type { SourceState } from '@pulse/contract'
import type { SuspendDetector } from '../../timing/suspend-detector.ts'
import type { SourceError, SourceErrorCode } from '../source-error.ts'

/** A part that keeps failing, or fails in a way that does not pass, is worth telling. */
const failuresToTell = 3
const lasting: readonly SourceErrorCode[] = ['unauthorized', 'forbidden', 'fingerprint', 'tls']
/** It answers, but not to us: no other question would fare better. */
const refusing: readonly SourceErrorCode[] = ['unauthorized', 'fingerprint', 'tls']

/** The question without which nothing is known. */
export const LISTING = 'listing'
/** The question that knows what the account may not see. */
export const RIGHTS = 'rights'

interface Part {
  failures: number
  error: SourceError | undefined
  /** what people read: what was said first, for as long as nothing comes from there */
  text: string
  /** the first failure since it was last answered; monotonic */
  since: number
  /** the last failure; monotonic */
  at: number
}

/** What cannot be read while the rest can. */
export interface Unreadable {
  what: string
  error: string
  right?: string
  /** monotonic */
  since: number
}

/** What is asked every few minutes need not fail three times to be missed. */
const unreadableAfterMs = 60_000
/** No page shows more. */
const mostUnreadable = 20

const silences: readonly SourceErrorCode[] = ['unreachable', 'timeout', 'crowded', 'node_offline']
const isSilence = (error: SourceError | undefined) => error !== undefined && silences.includes(error.code)

/** How well one connection is served: every part has its own error, and a success clears it. */
export class SourceHealth {
  readonly #clock: SuspendDetector['clock']
  readonly #judged: () => number
  readonly #parts = new Map<string, Part>()
  #filtered: readonly Unreadable[] = []
  #listedAt: number | undefined
  #freshUntil = 0
  /** since when it has been listed without a gap; monotonic */
  #listedSince = 0
  #answeredAt: number | undefined

  /** `judged`: the moment by which it is judged whether an answer is missing. */
  constructor({ clock, judged }: SuspendDetector) {
    this.#clock = clock
    this.#judged = judged
  }

  answered(part: string, at: number): void {
    this.#parts.delete(part)
    this.#answeredAt = at
  }

  /** Returns how often it has failed in a row. */
  failed(part: string, error: SourceError): number {
    const failures = (this.#parts.get(part)?.failures ?? 0) + 1
    this.#set(part, error, failures)
    return failures
  }

  /** It has been asked and is not answering, for longer than it ever takes. */
  overdue(part: string, error: SourceError): void {
    this.#set(part, error, this.#parts.get(part)?.failures ?? 0)
  }

  #set(part: string, error: SourceError, failures: number): void {
    const since = this.#parts.get(part)?.since ?? this.#clock.monotonic()
    const at = this.#clock.monotonic()
    this.#parts.set(part, { failures, error, text: this.#textOf(part, error), since, at })
  }

  /** Lists that a missing right leaves incomplete: PVE does not refuse them. */
  filtered(lists: readonly { what: string; error: string; right: string }[]): void {
    const before = new Map(this.#filtered.map((one) => [one.error, one.since]))
    this.#filtered = lists.map((one) => ({ ...one, since: before.get(one.error) ?? this.#clock.monotonic() }))
  }

  /** All but the question without which nothing is known, and what passes by itself. */
  unreadable(): Unreadable[] {
    const failing = [...this.#parts].flatMap(([what, { error, failures, text, since }]): Unreadable[] => {
      if (what === LISTING || what === RIGHTS || !error) return []
      const isLong = this.#judged() - since >= unreadableAfterMs
      if (failures < failuresToTell && !lasting.includes(error.code) && !isLong) return []
      const right = rightIn(error.said)
      return [{ what, error: text, ...(right && { right }), since }]
    })
    return [...this.#filtered, ...failing].slice(0, mostUnreadable)
  }

  /** An outage has many ways to fail: its text does not change with each of them. */
  #textOf(part: string, error: SourceError): string {
    const known = this.#parts.get(part)
    return known && isSilence(known.error) && isSilence(error) ? known.text : error.message
  }

  errorOf(part: string): SourceError | undefined {
    return this.#parts.get(part)?.error
  }

  /** It fails again and again although something answers: another way to the same knowledge may work. */
  failsWithAnswers(part: string): boolean {
    const { error, failures } = this.#parts.get(part) ?? { error: undefined, failures: 0 }
    if (error === undefined || error.isPathFault || error.code === 'unauthorized') return false
    return failures >= (this.#listedAt === undefined ? 1 : 2) || error.isRefusal
  }

  forget(part: string): void {
    this.#parts.delete(part)
  }

  /** Guests and nodes were listed, which counts for that time. */
  listed(at: number, freshForMs: number): void {
    if (at > this.#freshUntil) this.#listedSince = at
    this.#listedAt = at
    this.#freshUntil = at + freshForMs
  }

  get hasListed(): boolean {
    return this.#listedAt !== undefined
  }

  get lastListedAt(): number | undefined {
    return this.#listedAt
  }

  get lastAnswerAt(): number | undefined {
    return this.#answeredAt
  }

  /** When everything shown was last right, once that is too long ago, or nothing comes any more. */
  staleSince(): number | undefined {
    const isOld = this.#judged() > this.#freshUntil || this.#isRefused(LISTING)
    return this.#listedAt !== undefined && isOld ? this.#listedAt : undefined
  }

  /** Milliseconds until the figures go stale, if they are not. */
  freshForMs(): number | undefined {
    const leftMs = this.#freshUntil - this.#judged()
    return this.#listedAt !== undefined && leftMs >= 0 ? leftMs : undefined
  }

  /** `main` names the part without which nothing is known. */
  state(main: string, isDegraded: boolean): Pick<SourceState, 'health' | 'error' | 'refused' | 'untrusted'> {
    const error = this.#text(main)
    return {
      health: this.#health(main, isDegraded),
      ...(error !== undefined && { error }),
      ...(this.#isRefused(main) && { refused: true }),
      ...(this.errorOf(main)?.isUntrusted && { untrusted: true }),
    }
  }

  #isRefused(main: string): boolean {
    const error = this.#parts.get(main)?.error
    return error !== undefined && refusing.includes(error.code)
  }

  #health(main: string, isDegraded: boolean): SourceState['health'] {
    const failure = this.#parts.get(main)?.error
    if (this.#listedAt === undefined) return failure ? 'error' : 'unknown'
    if (this.staleSince() !== undefined || this.#isRefused(main)) return 'error'
    return isDegraded ? 'degraded' : 'healthy'
  }

  #text(main: string): string | undefined {
    // Missing rights explain what the other parts complain about.
    const first = this.#parts.get(main) ?? this.#parts.get(RIGHTS)
    if (first) return first.text
    // While nothing can be reached, the first failure gives the reason.
    const isStale = this.staleSince() !== undefined
    for (const { error, failures, text, at } of this.#parts.values()) {
      // What could not be reached before the source was back is asked again in its own rhythm.
      if (!isStale && isSilence(error) && at < this.#listedSince) continue
      if (error && (failures >= failuresToTell || lasting.includes(error.code))) return text
      if (isStale && isSilence(error)) return text
    }
    return undefined
  }
}

/** `Permission check failed (/nodes/pve1, Sys.Audit)`, as PVE refuses what the account may not have. */
const rightIn = (said: string): string | undefined =>
  /\((\/[^,()\s]{0,120}), ([A-Za-z.|]{3,60})\)/.exec(said)?.slice(1).toReversed().join(' on ')
