import type { Unreadable } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { SourceError, SourceErrorCode } from '../source-error.ts'

const shown = 20
const silences: readonly SourceErrorCode[] = ['unreachable', 'timeout', 'crowded', 'node_offline']

interface Entry {
  error: string
  code: SourceErrorCode
  right: string | undefined
  /** by the monotonic clock */
  since: number
}

/** What of a source cannot be read while the rest can: since when, why, and which right would mend it. */
export class UnreadableQuestions {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #granted: () => void
  readonly #entries = new Map<string, Entry>()

  /** `granted`: something can be read again for which a right was missing. */
  constructor(clock: Clock, log: Logger, granted: () => void = () => {}) {
    this.#clock = clock
    this.#log = log
    this.#granted = granted
  }

  /** `right`: without which it would be refused. */
  failed(what: string, { message: error, code }: SourceError, right?: string): void {
    const known = this.#entries.get(what)
    const lacks = code === 'forbidden' ? right : undefined
    // An outage has many ways to fail: its text does not change with each of them.
    if (known && silences.includes(known.code) && silences.includes(code)) return
    this.#entries.set(what, { error, code, right: lacks, since: known?.since ?? this.#clock.monotonic() })
    if (!known)
      this.#log.warn({ what, error, ...(lacks && { right: lacks }) }, 'cannot read a part of the source')
  }

  read(what: string): void {
    const known = this.#entries.get(what)
    if (!known) return
    this.#entries.delete(what)
    this.#log.info({ what }, 'part of the source can be read again')
    if (known.right !== undefined) this.#granted()
  }

  /** It is not asked for any more. */
  forget(isMeant: (what: string) => boolean): void {
    for (const what of this.#entries.keys()) if (isMeant(what)) this.#entries.delete(what)
  }

  errorOf(what: string): string | undefined {
    return this.#entries.get(what)?.error
  }

  list(wallOffset: number): Unreadable[] {
    return [...this.#entries].slice(0, shown).map(([what, { error, right, since }]) => ({
      what,
      error,
      ...(right !== undefined && { right }),
      since: Math.round(since + wallOffset),
    }))
  }
}
