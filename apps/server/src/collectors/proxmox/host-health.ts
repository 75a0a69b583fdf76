import type { SourceState } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import type { SuspendDetector } from '../../timing/suspend-detector.ts'
import type { SourceError } from '../source-error.ts'

/** Trying again soon does not help. */
const lasting: readonly SourceError['code'][] = [
  'unauthorized',
  'forbidden',
  'unsupported',
  'fingerprint',
  'tls',
]

/** It answers, but not to us. */
const refusing: readonly SourceError['code'][] = ['unauthorized', 'unsupported', 'fingerprint', 'tls']

export type HostVerdict = Pick<
  SourceState,
  'health' | 'lastSeen' | 'error' | 'refused' | 'untrusted' | 'staleSince'
>

/** How a source that is one machine is doing, by its last greeting. */
export class HostHealth {
  readonly #clock: Clock
  readonly #judged: () => number
  readonly #log: Logger
  readonly #breaker: CircuitBreaker
  #seenAt: number | undefined
  #freshUntil = Infinity
  #fault: SourceError | undefined
  #logged: SourceState['health'] = 'unknown'

  /** `judged`: the moment by which it is judged whether what is known has grown old. */
  constructor({ clock, judged }: SuspendDetector, log: Logger, breaker: CircuitBreaker) {
    this.#clock = clock
    this.#judged = judged
    this.#log = log
    this.#breaker = breaker
  }

  /** Its greeting came, which counts for that time. */
  greeted(freshForMs: number): void {
    this.#seenAt = this.#clock.monotonic()
    this.#freshUntil = this.#seenAt + freshForMs
    this.#fault = undefined
    this.#breaker.succeed()
  }

  failed(fault: SourceError): void {
    this.#fault = fault
    this.#breaker.fail()
  }

  /** It greeted us, and nothing has failed since. */
  get isThere(): boolean {
    return this.#seenAt !== undefined && !this.#fault
  }

  /** Since its last greeting. */
  get ageMs(): number | undefined {
    return this.#seenAt === undefined ? undefined : this.#clock.monotonic() - this.#seenAt
  }

  /** What people see of it now. That it changed is said once in the log. */
  verdict(wallOffset: number): HostVerdict {
    const fault = this.#fault
    const health = this.#health()
    if (health !== this.#logged && health === 'error')
      this.#log.warn({ error: fault?.message }, 'source does not answer')
    else if (health !== this.#logged && this.#logged === 'error') this.#log.info('source is healthy again')
    this.#logged = health
    const lastSeen = this.#seenAt === undefined ? undefined : Math.round(this.#seenAt + wallOffset)
    const refused = health === 'error' && fault !== undefined && refusing.includes(fault.code)
    return {
      health,
      ...(lastSeen !== undefined && { lastSeen }),
      ...(fault && { error: fault.message }),
      ...(refused && { refused }),
      ...(refused && fault.isUntrusted && { untrusted: true }),
      // A record that says that its source does not answer also says since when, however recent its figures are.
      ...(health === 'error' && lastSeen !== undefined && { staleSince: lastSeen }),
    }
  }

  get isStale(): boolean {
    return this.#judged() > this.#freshUntil
  }

  /** Milliseconds until its figures grow old; Infinity when they are old, or there are none. */
  get freshForMs(): number {
    return this.isStale ? Infinity : this.#freshUntil - this.#judged()
  }

  /** A single failure of a host that was well is no outage yet. */
  #health(): SourceState['health'] {
    if (this.isStale) return 'error'
    if (!this.#fault) return this.#seenAt === undefined ? 'unknown' : 'healthy'
    const isDown =
      this.#seenAt === undefined || lasting.includes(this.#fault.code) || this.#breaker.state !== 'closed'
    return isDown ? 'error' : 'healthy'
  }
}
