import type { SourceState } from '@pulse/contract'
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
}

const silences: readonly SourceErrorCode[] = ['unreachable', 'timeout', 'crowded', 'node_offline']
const isSilence = (error: SourceError | undefined) => error !== undefined && silences.includes(error.code)

/** How well one connection is served: every part has its own error, and a success clears it. */
export class SourceHealth {
  readonly #judged: () => number
  readonly #parts = new Map<string, Part>()
  #listedAt: number | undefined
  #freshUntil = 0
  #answeredAt: number | undefined

  /** by the monotonic clock: when it is judged whether an answer is missing */
  constructor(judged: () => number) {
    this.#judged = judged
  }

  answered(part: string, at: number): void {
    this.#parts.delete(part)
    this.#answeredAt = at
  }

  /** Returns how often it has failed in a row. */
  failed(part: string, error: SourceError): number {
    const failures = (this.#parts.get(part)?.failures ?? 0) + 1
    this.#parts.set(part, { failures, error, text: this.#textOf(part, error) })
    return failures
  }

  /** It has been asked and is not answering, for longer than it ever takes. */
  overdue(part: string, error: SourceError): void {
    const { failures = 0 } = this.#parts.get(part) ?? {}
    this.#parts.set(part, { failures, error, text: this.#textOf(part, error) })
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
    this.#listedAt = at
    this.#freshUntil = at + freshForMs
  }

  get hasListed(): boolean {
    return this.#listedAt !== undefined
  }

  get lastAnswerAt(): number | undefined {
    return this.#answeredAt
  }

  /** When everything shown was last right, once that is too long ago. */
  staleSince(): number | undefined {
    return this.#listedAt !== undefined && this.#judged() > this.#freshUntil ? this.#listedAt : undefined
  }

  /** Milliseconds until the figures go stale, if they are not. */
  freshForMs(): number | undefined {
    const leftMs = this.#freshUntil - this.#judged()
    return this.#listedAt !== undefined && leftMs >= 0 ? leftMs : undefined
  }

  /** `main` names the part without which nothing is known. */
  state(main: string, isDegraded: boolean): Pick<SourceState, 'health' | 'error' | 'refused'> {
    const error = this.#text(main)
    return {
      health: this.#health(main, isDegraded),
      ...(error !== undefined && { error }),
      ...(this.#isRefused(main) && { refused: true }),
    }
  }

  #isRefused(main: string): boolean {
    const error = this.#parts.get(main)?.error
    return error !== undefined && refusing.includes(error.code)
  }

  #health(main: string, isDegraded: boolean): SourceState['health'] {
    const failure = this.#parts.get(main)?.error
    if (this.#listedAt === undefined) return failure ? 'error' : 'unknown'
    if (this.staleSince() !== undefined) return 'error'
    if (this.#isRefused(main)) return 'error'
    return isDegraded ? 'degraded' : 'healthy'
  }

  #text(main: string): string | undefined {
    // Missing rights explain what the other parts complain about.
    const first = this.#parts.get(main) ?? this.#parts.get(RIGHTS)
    if (first) return first.text
    for (const { error, failures, text } of this.#parts.values()) {
      if (error && (failures >= failuresToTell || lasting.includes(error.code))) return text
    }
    return undefined
  }
}
