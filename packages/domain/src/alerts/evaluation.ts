import type { Alert, AlertConfig, AnyRecord, RecordKind } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import { alertIdOf } from './alert-id.ts'
import type { Condition, Resource } from './condition.ts'
import type { Judging, Rule, Subject } from './judging.ts'
import { createPolicies, type Policies, type Policy, type PolicyKind } from './policy.ts'

/** What the rules of a record say, and what of it they leave open. */
export interface Heard {
  /** Whether it wants to hear that this is well. */
  follows(id: string): boolean
  /** A rule says so. */
  said(rule: string, condition: Condition): void
  /** It is not asked for that reason: whatever it said before is held, or over. */
  unasked(rule: string, verdict: 'held' | 'off', reason: string): void
  /** It has said everything: what it did not name is gone (or well, of a rule that names only what is not), or held where there is a reason. */
  done(rule: Rule<never>, held: string | undefined): void
}

export interface EvaluationEdges {
  tables: Tables
  openAlert: (id: string) => Alert | undefined
  recheckIn: (kind: RecordKind, record: string, ms: number) => void
  waitFor: (kind: RecordKind, record: string, waiting: { kind: RecordKind; record: string }) => void
  memory: RuleMemory
  onFault: (error: unknown) => void
}

/** What rules keep about records, by kind and key. */
export interface RuleMemory {
  get(kind: RecordKind, record: string, name: string): unknown
  set(kind: RecordKind, record: string, name: string, value: unknown): void
}

export interface Dates {
  /** for what is dated */
  now: number
  /** as the clock on the wall */
  wallNow: number
  /** of the engine, restarts included */
  runtime: number
}

const unset: Policy = {
  off: undefined,
  ownOff: undefined,
  offline: { off: undefined, level: 'critical', origin: { from: 'defaults' } },
  thresholds: {},
  figures: {},
}

/** Asks the rules of a record, one after the other. What it is lives as long as the engine: there are many records. */
export class Evaluation implements Judging {
  readonly tables: Tables
  record = ''
  policy: Policy = unset
  now = 0
  wallNow = 0
  runtime = 0
  isWatched = false
  config: AlertConfig
  readonly #edges: EvaluationEdges
  #policies: Policies
  #subject: Subject | undefined
  #record: AnyRecord | undefined
  #resource: Resource | undefined
  #rule = ''
  #heard: Heard | undefined
  #held: string | undefined
  readonly #shared = new Map<string, unknown>()
  #mapped: ((condition: Condition) => Condition) | undefined

  constructor(config: AlertConfig, edges: EvaluationEdges) {
    this.tables = edges.tables
    this.config = config
    this.#edges = edges
    this.#policies = createPolicies(config, (key) => edges.tables.nodes.has(key))
  }

  configure(config: AlertConfig): void {
    this.config = config
    this.#policies = createPolicies(config, (key) => this.tables.nodes.has(key))
  }

  /** The record is gone. */
  forget(kind: RecordKind, record: string): void {
    this.#policies.forget(kind, record)
  }

  /** `isWatched`: what is well is wanted too. `unripe`: why nothing can be said yet. */
  judge(
    subject: Subject,
    key: string,
    record: AnyRecord,
    dates: Dates,
    isWatched: boolean,
    heard: Heard,
    unripe?: string,
  ): void {
    this.#subject = subject
    this.#record = record
    this.#resource = undefined
    this.#heard = heard
    this.record = key
    this.now = dates.now
    this.wallNow = dates.wallNow
    this.runtime = dates.runtime
    this.isWatched = isWatched
    this.policy = subject.settings ? this.#policies.of(subject.settings, key, record) : unset
    const { off } = this.policy
    const stale = unripe ?? (isStale(record) ? 'What is known of it is old.' : undefined)
    for (const rule of subject.rules) {
      // Whether it is away is said by the rules before.
      const down = off ?? (rule.seesStale ? undefined : subject.down?.(record as never, this))
      if (down !== undefined) this.#leave(rule, record, 'off', down)
      else if (stale !== undefined && !rule.seesStale) this.#leave(rule, record, 'held', stale)
      else this.#ask(rule, record)
    }
  }

  /** It is asked all the same while somebody watches, for what it would say: switched off beats held. */
  #leave(rule: Rule<never>, record: AnyRecord, verdict: 'held' | 'off', reason: string) {
    if (!this.isWatched) return
    this.#mapped = (condition) =>
      verdict === 'held' && condition.verdict === 'off' ? condition : { ...condition, verdict, reason }
    this.#ask(rule, record)
    this.#mapped = undefined
    this.#heard!.unasked(rule.name, verdict, reason)
  }

  #ask(rule: Rule<never>, record: AnyRecord) {
    this.#rule = rule.name
    this.#held = undefined
    try {
      rule.judge(record as never, this)
    } catch (error) {
      this.#edges.onFault(error)
      this.#held = 'It could not be judged.'
    }
    if (!this.#mapped) this.#heard!.done(rule, this.#held)
  }

  get resource(): Resource {
    return (this.#resource ??= this.#subject!.resource(this.#record as never, this.record, this.tables))
  }

  policyOf(kind: PolicyKind, recordKey: string, record: object): Policy {
    return this.#policies.of(kind, recordKey, record)
  }

  isFollowed(id: string): boolean {
    return this.#heard!.follows(id)
  }

  isOpen(id: string): boolean {
    return this.openAlert(id) !== undefined
  }

  openAlert(id: string): Alert | undefined {
    return this.#edges.openAlert(alertIdOf(id))
  }

  once<T>(name: string, make: () => T): T {
    if (!this.#shared.has(name)) this.#shared.set(name, make())
    return this.#shared.get(name) as T
  }

  /** What is known has changed: what was worked out from it counts no more. */
  begin(): void {
    this.#shared.clear()
  }

  silence(source: string): string | undefined {
    const state = this.tables.sources.get(source)
    if (!state || (state.health !== 'error' && state.staleSince === undefined)) return undefined
    return `${state.name} does not answer.`
  }

  emit(given: Condition): void {
    const id = alertIdOf(given.id)
    const condition = id === given.id ? given : { ...given, id }
    this.#heard!.said(this.#rule, this.#mapped ? this.#mapped(condition) : condition)
  }

  holdRest(reason: string): void {
    this.#held = reason
  }

  waitFor(kind: RecordKind, record: string): void {
    this.#edges.waitFor(kind, record, { kind: this.#subject!.kind, record: this.record })
  }

  recheckIn(ms: number): void {
    this.#edges.recheckIn(this.#subject!.kind, this.record, Math.max(1, ms))
  }

  recall<T>(name: string): T | undefined {
    return this.#edges.memory.get(this.#subject!.kind, this.record, name) as T | undefined
  }

  keep(name: string, value: unknown): void {
    this.#edges.memory.set(this.#subject!.kind, this.record, name, value)
  }
}

const isStale = (record: AnyRecord): boolean => 'staleSince' in record && record.staleSince !== undefined
