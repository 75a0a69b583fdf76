import type { SourceState } from '@pulse/contract'
import type { Logger } from 'pino'
import { SourceError, toSourceError, type SourceErrorCode } from './source-error.ts'
import type { SuspendDetector } from '../timing/suspend-detector.ts'

export interface HealthRules {
  /** the question without which nothing is known */
  main: string
  /** the question that explains what the others complain about */
  rights?: string
  /** Members tell what the main question would, and one failure among so many questions is no news. */
  isCluster?: boolean
  /** A question is answered again for which a right was missing. */
  granted?: () => void
}

/** A question of a cluster that keeps failing, or the main question of a machine that does. */
const failuresToTell = 3
/** What is asked every few minutes need not fail three times to be missed. */
const unreadableAfterMs = 60_000
/** No page shows more. */
const mostUnreadable = 20

/** It does not pass by itself. */
const lasting: readonly SourceErrorCode[] = ['unauthorized', 'forbidden', 'fingerprint', 'tls']
/** It answers, but not to us: no other question would fare better. */
const refusing: readonly SourceErrorCode[] = ['unauthorized', 'fingerprint', 'tls']
const silences: readonly SourceErrorCode[] = ['unreachable', 'timeout', 'crowded', 'node_offline']
const isSilence = (error: SourceError) => silences.includes(error.code)

interface Failing {
  failures: number
  error: SourceError
  /** what people read: what was said first, for as long as nothing comes from there */
  text: string
  right: string | undefined
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

/** How well one connection is served: every question has its own error, and a success clears it. */
export class SourceHealth {
  readonly #clock: SuspendDetector['clock']
  readonly #judged: () => number
  readonly #log: Logger
  readonly #rules: HealthRules
  readonly #failing = new Map<string, Failing>()
  #filtered: readonly Unreadable[] = []
  #listedAt: number | undefined
  #freshUntil = 0
  /** since when it has been listed without a gap; monotonic */
  #listedSince = 0
  #answeredAt: number | undefined
  #promiseMs: number | undefined

  /** `judged`: the moment by which it is judged whether an answer is missing. */
  constructor({ clock, judged }: SuspendDetector, log: Logger, rules: HealthRules) {
    this.#clock = clock
    this.#judged = judged
    this.#log = log
    this.#rules = rules
  }

  /** `at`: when the source was last heard of, if that answer counts for it. */
  answered(question: string, at?: number): void {
    const known = this.#failing.get(question)
    this.#failing.delete(question)
    if (at !== undefined) this.#answeredAt = at
    if (!known || !this.#isLogged(question)) return
    this.#log.info({ what: question }, 'part of the source can be read again')
    if (known.right !== undefined) this.#rules.granted?.()
  }

  /** `right`: without which it would be refused. Returns how often it has failed in a row. */
  failed(question: string, cause: unknown, right?: string): number {
    const error = toSourceError(cause)
    const known = this.#failing.get(question)
    const failures = (known?.failures ?? 0) + 1
    if (!(cause instanceof SourceError) && failures === 1)
      this.#log.error({ err: cause, part: question }, 'internal error in a part of the collector')
    const lacks = error.code === 'forbidden' && right ? right : rightIn(error.said)
    this.#set(question, error, failures, lacks)
    if (!known && this.#isLogged(question))
      this.#log.warn(
        { what: question, error: error.message, ...(lacks && { right: lacks }) },
        'cannot read a part of the source',
      )
    return failures
  }

  /** It has been asked and is not answering, for longer than it ever takes. */
  overdue(question: string, error: SourceError): void {
    this.#set(question, error, this.#failing.get(question)?.failures ?? 0)
  }

  /** Lists that a missing right leaves incomplete: PVE does not refuse them. */
  filtered(lists: readonly { what: string; error: string; right: string }[]): void {
    const before = new Map(this.#filtered.map((one) => [one.error, one.since]))
    this.#filtered = lists.map((one) => ({ ...one, since: before.get(one.error) ?? this.#clock.monotonic() }))
  }

  /** It is not asked any more. */
  forget(question: string): void {
    this.#failing.delete(question)
  }

  forgetAll(isMeant: (question: string) => boolean): void {
    for (const question of this.#failing.keys()) if (isMeant(question)) this.#failing.delete(question)
  }

  /** All but the question without which nothing is known, and what passes by itself. */
  unreadable(): Unreadable[] {
    const { main, rights, isCluster } = this.#rules
    if (!isCluster && !this.isThere) return []
    const failing = [...this.#failing].flatMap(([what, one]): Unreadable[] => {
      if (what === main || what === rights || (isCluster && !this.#isNews(one))) return []
      const { text: error, right, since } = one
      return [{ what, error, ...(right !== undefined && { right }), since }]
    })
    return [...this.#filtered, ...failing].slice(0, mostUnreadable)
  }

  errorOf(question: string): SourceError | undefined {
    return this.#failing.get(question)?.error
  }

  /** It fails again and again although something answers: another way to the same knowledge may work. */
  failsWithAnswers(question: string): boolean {
    const { error, failures } = this.#failing.get(question) ?? { error: undefined, failures: 0 }
    if (error === undefined || error.isPathFault || error.code === 'unauthorized') return false
    return failures >= (this.#listedAt === undefined ? 1 : 2) || error.isRefusal
  }

  /** The main question was answered, by whatever way, which counts for that time. */
  listed(at: number, freshForMs: number): void {
    if (at > this.#freshUntil) this.#listedSince = at
    this.#listedAt = at
    this.#freshUntil = at + freshForMs
    this.#promiseMs = freshForMs
  }

  /** The main question was answered, and has not failed since. */
  get isThere(): boolean {
    return this.#listedAt !== undefined && !this.#failing.has(this.#rules.main)
  }

  get lastListedAt(): number | undefined {
    return this.#listedAt
  }

  get lastAnswerAt(): number | undefined {
    return this.#answeredAt
  }

  /** For how long the last answer to the main question counts: said once, with the next observation. */
  takePromise(): number | undefined {
    const promiseMs = this.#promiseMs
    this.#promiseMs = undefined
    return promiseMs
  }

  /** The reason should the promise be broken: one failure is no news before. */
  overdueError(): string | undefined {
    return this.#text(true)
  }

  verdict(isDegraded = false): Pick<SourceState, 'health' | 'error' | 'refused' | 'untrusted'> {
    const error = this.#text(this.#isDown())
    return {
      health: this.#health(isDegraded),
      ...(error !== undefined && { error }),
      ...(this.#isRefused() && { refused: true }),
      ...(this.errorOf(this.#rules.main)?.isUntrusted && { untrusted: true }),
    }
  }

  /** The questions of a cluster come and go with its members. */
  #isLogged(question: string): boolean {
    return !this.#rules.isCluster && question !== this.#rules.main
  }

  #set(question: string, error: SourceError, failures: number, right?: string): void {
    const known = this.#failing.get(question)
    const at = this.#clock.monotonic()
    // An outage has many ways to fail: its text does not change with each of them.
    const text = known && isSilence(known.error) && isSilence(error) ? known.text : error.message
    this.#failing.set(question, { failures, error, text, right, since: known?.since ?? at, at })
  }

  #isNews({ failures, error, since }: Failing): boolean {
    return (
      failures >= failuresToTell ||
      lasting.includes(error.code) ||
      this.#judged() - since >= unreadableAfterMs
    )
  }

  #isRefused(): boolean {
    const code = this.errorOf(this.#rules.main)?.code
    return (
      code !== undefined && (refusing.includes(code) || (code === 'unsupported' && !this.#rules.isCluster))
    )
  }

  /** A single failure of a machine that was well is no outage yet. */
  #isDown(): boolean {
    if (this.#isRefused()) return true
    const main = this.#failing.get(this.#rules.main)
    if (!main || this.#rules.isCluster) return false
    return main.failures >= failuresToTell || lasting.includes(main.error.code)
  }

  #health(isDegraded: boolean): SourceState['health'] {
    if (this.#listedAt === undefined) return this.#failing.has(this.#rules.main) ? 'error' : 'unknown'
    if (this.#isDown()) return 'error'
    return isDegraded ? 'degraded' : 'healthy'
  }

  #text(isDown: boolean): string | undefined {
    const { main, rights = main, isCluster } = this.#rules
    if (!isCluster) return this.errorOf(main)?.message
    // Missing rights explain what the other questions complain about.
    const first = this.#failing.get(main) ?? this.#failing.get(rights)
    if (first) return first.text
    // While nothing can be reached, the first failure gives the reason.
    for (const { error, failures, text, at } of this.#failing.values()) {
      // What could not be reached before the source was back is asked again in its own rhythm.
      if (!isDown && isSilence(error) && at < this.#listedSince) continue
      if (failures >= failuresToTell || lasting.includes(error.code)) return text
      if (isDown && isSilence(error)) return text
    }
    return undefined
  }
}

/** `Permission check failed (/nodes/pve1, Sys.Audit)`, as PVE refuses what the account may not have. */
const rightIn = (said: string): string | undefined =>
  /\((\/[^,()\s]{0,120}), ([A-Za-z.|]{3,60})\)/.exec(said)?.slice(1).toReversed().join(' on ')
