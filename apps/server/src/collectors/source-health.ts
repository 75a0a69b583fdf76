import type { SourceState } from '@pulse/contract'
import type { Logger } from 'pino'
import { SourceError, toSourceError, type SourceErrorCode } from './source-error.ts'
import type { SuspendDetector } from '../timing/suspend-detector.ts'

export interface HealthRules {
  /** the question on which all others depend */
  main: string
  /** the question that explains failures of others */
  rights?: string
  /** Member queries can replace the main question, and one failure among so many is not reported. */
  isCluster?: boolean
  /** Called when a question is answered again that lacked a right. */
  granted?: () => void
}

/** A cluster's question, or the main question of a single host, is reported after this many failures. */
const failuresToTell = 3
/** Questions with an interval of minutes are reported after this time, before three failures. */
const unreadableAfterMs = 60_000
/** No page shows more. */
const mostUnreadable = 20

/** The host refuses Pulse itself, so any other question would fail too. */
const refusing: readonly SourceErrorCode[] = ['unauthorized', 'fingerprint', 'tls']
const silences: readonly SourceErrorCode[] = ['unreachable', 'timeout', 'crowded', 'node_offline']
const isSilence = (error: SourceError) => silences.includes(error.code)

interface Failing {
  failures: number
  error: SourceError
  /** the displayed text: the first failure's text while there is no answer */
  text: string
  right: string | undefined
  /** the first failure since the last answer; monotonic */
  since: number
  /** the last failure; monotonic */
  at: number
}

/** The polls of the main question. Times are monotonic. */
export interface MainPolls {
  question: string
  listedAt: number | undefined
  /** the last answer counts until then */
  freshUntil: number
  /** failures in a row, and the first of them */
  failures: number
  failingSince: number | undefined
  /** stays after an answer */
  lastError: { error: SourceError; at: number } | undefined
}

/** A question that cannot be read while others can. */
export interface Unreadable {
  what: string
  error: string
  right?: string
  /** monotonic */
  since: number
}

/** The health of one connection. Every question has its own error, which a success clears. */
export class SourceHealth {
  readonly #clock: SuspendDetector['clock']
  readonly #judged: () => number
  readonly #log: Logger
  readonly #rules: HealthRules
  readonly #failing = new Map<string, Failing>()
  #filtered: readonly Unreadable[] = []
  #listedAt: number | undefined
  #freshUntil = 0
  /** the start of the uninterrupted listing; monotonic */
  #listedSince = 0
  #answeredAt: number | undefined
  #promiseMs: number | undefined
  #lastError: MainPolls['lastError']

  /** `judged`: the time for deciding whether an answer is missing. */
  constructor({ clock, judged }: SuspendDetector, log: Logger, rules: HealthRules) {
    this.#clock = clock
    this.#judged = judged
    this.#log = log
    this.#rules = rules
  }

  /** `at`: the time of the source's last answer, if this answer counts as one. */
  answered(question: string, at?: number): void {
    const known = this.#failing.get(question)
    this.#failing.delete(question)
    if (at !== undefined) this.#answeredAt = at
    if (!known || !this.#isLogged(question)) return
    this.#log.info({ what: question }, 'part of the source can be read again')
    if (known.right !== undefined) this.#rules.granted?.()
  }

  /** `right`: the right that the question needs. Returns the number of failures in a row. */
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

  /** The question has waited for its answer longer than is ever normal. */
  overdue(question: string, error: SourceError): void {
    this.#set(question, error, this.#failing.get(question)?.failures ?? 0)
  }

  /** Lists that a missing right leaves incomplete. PVE does not refuse them. */
  filtered(lists: readonly { what: string; error: string; right: string }[]): void {
    const before = new Map(this.#filtered.map((one) => [one.error, one.since]))
    this.#filtered = lists.map((one) => ({ ...one, since: before.get(one.error) ?? this.#clock.monotonic() }))
  }

  /** The question is no longer asked. */
  forget(question: string): void {
    this.#failing.delete(question)
  }

  forgetAll(isMeant: (question: string) => boolean): void {
    for (const question of this.#failing.keys()) if (isMeant(question)) this.#failing.delete(question)
  }

  /** All failures except the main question's and temporary ones. */
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

  /** Repeated failures although the host answers. Another call may return the same data. */
  failsWithAnswers(question: string): boolean {
    const { error, failures } = this.#failing.get(question) ?? { error: undefined, failures: 0 }
    if (error === undefined || error.isPathFault || error.code === 'unauthorized') return false
    return failures >= (this.#listedAt === undefined ? 1 : 2) || error.isRefusal
  }

  /** The main question was answered, by any call. The answer counts for that time. */
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

  mainPolls(): MainPolls {
    const { main: question } = this.#rules
    const { failures = 0, since: failingSince } = this.#failing.get(question) ?? {}
    return {
      question,
      listedAt: this.#listedAt,
      freshUntil: this.#freshUntil,
      failures,
      failingSince,
      lastError: this.#lastError,
    }
  }

  /** How long the last answer to the main question counts. Returned once, with the next observation. */
  takePromise(): number | undefined {
    const promiseMs = this.#promiseMs
    this.#promiseMs = undefined
    return promiseMs
  }

  /** The reason if the promise is broken. Before that, one failure is not reported. */
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

  /** The questions of a cluster change with its members, so they are not logged. */
  #isLogged(question: string): boolean {
    return !this.#rules.isCluster && question !== this.#rules.main
  }

  #set(question: string, error: SourceError, failures: number, right?: string): void {
    const known = this.#failing.get(question)
    const at = this.#clock.monotonic()
    if (question === this.#rules.main) this.#lastError = { error, at }
    // An outage causes various errors. Its text does not change with each of them.
    const text = known && isSilence(known.error) && isSilence(error) ? known.text : error.message
    this.#failing.set(question, { failures, error, text, right, since: known?.since ?? at, at })
  }

  #isNews({ failures, error, since }: Failing): boolean {
    return failures >= failuresToTell || error.isLasting || this.#judged() - since >= unreadableAfterMs
  }

  #isRefused(): boolean {
    const code = this.errorOf(this.#rules.main)?.code
    return (
      code !== undefined && (refusing.includes(code) || (code === 'unsupported' && !this.#rules.isCluster))
    )
  }

  /** A single failure of a healthy host is no outage yet. */
  #isDown(): boolean {
    if (this.#isRefused()) return true
    const main = this.#failing.get(this.#rules.main)
    if (!main || this.#rules.isCluster) return false
    return main.failures >= failuresToTell || main.error.isLasting
  }

  #health(isDegraded: boolean): SourceState['health'] {
    const main = this.#failing.get(this.#rules.main)
    if (this.#listedAt === undefined) return main && !this.#sleptThroughAnswer(main) ? 'error' : 'unknown'
    if (this.#isDown()) return 'error'
    return isDegraded ? 'degraded' : 'healthy'
  }

  /** The first answer may have arrived while the process was stopped, and its limit was over before it was read. */
  #sleptThroughAnswer({ failures, error }: Failing): boolean {
    return failures <= 1 && error.code === 'timeout' && this.#judged() < this.#clock.monotonic()
  }

  #text(isDown: boolean): string | undefined {
    const { main, rights = main, isCluster } = this.#rules
    if (!isCluster) return this.errorOf(main)?.message
    // Missing rights explain the failures of other questions.
    const first = this.#failing.get(main) ?? this.#failing.get(rights)
    if (first) return first.text
    // While the source is unreachable, the first failure gives the reason.
    for (const { error, failures, text, at } of this.#failing.values()) {
      // Questions that failed before the source was back are repeated at their own interval.
      if (!isDown && isSilence(error) && at < this.#listedSince) continue
      if (failures >= failuresToTell || error.isLasting) return text
      if (isDown && isSilence(error)) return text
    }
    return undefined
  }
}

/** `Permission check failed (/nodes/pve1, Sys.Audit)`: PVE's text about a missing right. */
const rightIn = (said: string): string | undefined =>
  /\((\/[^,()\s]{0,120}), ([A-Za-z.|]{3,60})\)/.exec(said)?.slice(1).toReversed().join(' on ')
