import type { Unreadable } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { SourceError } from '../source-error.ts'

const shown = 20

interface Entry {
  error: string
  right: string | undefined
  /** by the monotonic clock */
  since: number
}

/** What of a source cannot be read while the rest can: since when, why, and which right would mend it. */
export class UnreadableBook {
  readonly #clock: Clock
  readonly #log: Logger
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock
    this.#log = log
  }

  /** Returns since when it is so. `since`: what is shown of it is as old as that. */
  failed(what: string, { message: error, code }: SourceError, right?: string): void {
    const known = this.#entries.get(what)
    const lacks = code === 'forbidden' ? right : undefined
    // An outage has many ways to fail: the first text stays, unless a right is missing.
    if (known && known.right === lacks) return
    this.#entries.set(what, { error, right: lacks, since: known?.since ?? this.#clock.monotonic() })
    if (!known)
      this.#log.warn({ what, error, ...(lacks && { right: lacks }) }, 'a part of the source cannot be read')
  }

  read(what: string): void {
    if (this.#entries.delete(what)) this.#log.info({ what }, 'that part of the source can be read again')
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
