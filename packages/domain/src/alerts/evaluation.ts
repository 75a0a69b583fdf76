import {
  type Alert,
  type AlertConfig,
  type AlertMetric,
  type AnyRecord,
  mainSite,
  type RecordKind,
  type SourceState,
} from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import { alertIdOf } from './alert-id.ts'
import type { Condition, FoundCondition, Resource } from './condition.ts'
import type { Judging, Rule, Subject } from './judging.ts'
import { createPolicies, type Policies, type Policy, type PolicyKind } from './policy.ts'

/** Receives the conditions of one record. */
export interface ConditionSink {
  /** Whether the condition is pending or open, so that its end matters. */
  tracks(id: string): boolean
  emit(rule: string, condition: Condition): void
  /** The rule is not evaluated, for that reason. Its earlier conditions are held, or end. */
  skip(rule: string, verdict: 'held' | 'off', reason: string): void
  /**
   * The rule has emitted all its conditions. Earlier ones that it did not emit are held if a reason is given.
   * Otherwise their resource is gone, or fine if the rule emits only bad conditions.
   */
  finish(rule: Rule<never>, held: string | undefined): void
}

export interface EvaluationEdges {
  tables: Tables
  openAlert: (id: string) => Alert | undefined
  recheckIn: (kind: RecordKind, record: string, ms: number) => void
  waitFor: (kind: RecordKind, record: string, waiting: { kind: RecordKind; record: string }) => void
  memory: RuleMemory
  onFault: (error: unknown) => void
  onlyMetric?: AlertMetric | undefined
}

/** Values that rules store about records, by kind and key. */
export interface RuleMemory {
  get(kind: RecordKind, record: string, name: string): unknown
  set(kind: RecordKind, record: string, name: string, value: unknown): void
}

export interface Dates {
  /** date for ages */
  now: number
  /** wall clock */
  wallNow: number
  /** runtime of the engine, restarts included */
  runtime: number
}

const unset: Policy = {
  off: undefined,
  ownOff: undefined,
  offline: { off: undefined, level: 'critical', origin: { from: 'defaults' } },
  thresholds: {},
  figures: {},
}

/** Evaluates the rules of one record after another. One object serves all records. */
export class Evaluation implements Judging {
  readonly tables: Tables
  readonly onlyMetric: AlertMetric | undefined
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
  /** state of the record's source */
  #source: SourceState | undefined
  #sink: ConditionSink | undefined
  #held: string | undefined
  #off: string | undefined
  readonly #shared = new Map<string, unknown>()
  #mapped: ((condition: Condition) => Condition) | undefined

  constructor(config: AlertConfig, edges: EvaluationEdges) {
    this.tables = edges.tables
    this.onlyMetric = edges.onlyMetric
    this.config = config
    this.#edges = edges
    this.#policies = createPolicies(config, (key) => edges.tables.nodes.has(key))
  }

  configure(config: AlertConfig): void {
    this.config = config
    this.#policies = createPolicies(config, (key) => this.tables.nodes.has(key))
  }

  /** The record was removed. */
  forget(kind: RecordKind, record: string): void {
    this.#policies.forget(kind, record)
  }

  /** `isWatched`: fine conditions are emitted too. `unripe`: why the record cannot be judged yet. */
  judge(
    subject: Subject,
    key: string,
    record: AnyRecord,
    dates: Dates,
    isWatched: boolean,
    sink: ConditionSink,
    unripe?: string,
  ): void {
    this.#subject = subject
    this.#record = record
    this.#resource = undefined
    this.#sink = sink
    this.record = key
    this.now = dates.now
    this.wallNow = dates.wallNow
    this.runtime = dates.runtime
    this.isWatched = isWatched
    this.policy = subject.settings ? this.#policies.of(subject.settings, key, record) : unset
    this.#source = this.tables.sources.get(sourceOf(subject.kind, key, record))
    const lost = lostSiteReason(this.#source)
    const { off } = this.policy
    const stale = unripe ?? (isStale(record) ? 'Its data are stale.' : undefined)
    for (const rule of subject.rules) {
      // The preceding rules report that it is offline.
      const down = off ?? (rule.seesStale ? undefined : subject.down?.(record as never, this))
      if (down !== undefined) this.#leave(rule, record, 'off', down)
      else if (lost !== undefined && !rule.seesLostSite) this.#leave(rule, record, 'held', lost)
      else if (stale !== undefined && !rule.seesStale) this.#leave(rule, record, 'held', stale)
      else this.#ask(rule, record)
    }
  }

  /** Evaluates the rule nevertheless while its conditions are tracked. `off` takes precedence over `held`. */
  #leave(rule: Rule<never>, record: AnyRecord, verdict: 'held' | 'off', reason: string) {
    if (!this.isWatched) return
    this.#mapped = (condition) =>
      verdict === 'held' && condition.verdict === 'off' ? condition : { ...condition, verdict, reason }
    this.#ask(rule, record)
    this.#mapped = undefined
    this.#sink!.skip(rule.name, verdict, reason)
  }

  #ask(rule: Rule<never>, record: AnyRecord) {
    this.#rule = rule.name
    this.#held = undefined
    this.#off = undefined
    try {
      rule.judge(record as never, this)
    } catch (error) {
      this.#edges.onFault(error)
      this.#held = 'It could not be evaluated.'
    }
    if (this.#off !== undefined) this.#sink!.skip(rule.name, 'off', this.#off)
    if (!this.#mapped) this.#sink!.finish(rule, this.#held)
  }

  get resource(): Resource {
    return (this.#resource ??= this.#subject!.resource(this.#record as never, this.record, this.tables))
  }

  policyOf(kind: PolicyKind, recordKey: string, record: object): Policy {
    return this.#policies.of(kind, recordKey, record)
  }

  isFollowed(id: string): boolean {
    return this.#sink!.tracks(alertIdOf(id))
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

  /** The tables have changed, so derived values are dropped. */
  begin(): void {
    this.#shared.clear()
  }

  silence(source: string): string | undefined {
    const state = this.tables.sources.get(source)
    if (!state || (state.health !== 'error' && state.staleSince === undefined)) return undefined
    return `${state.name} does not answer.`
  }

  emit(found: FoundCondition): void {
    const { site } = this.#source ?? {}
    const condition = {
      resource: this.resource,
      value: 0,
      threshold: 0,
      ...found,
      ...(site !== undefined && { site }),
      id: alertIdOf(found.id),
    }
    this.#sink!.emit(this.#rule, this.#mapped ? this.#mapped(condition) : condition)
  }

  holdRest(reason: string): void {
    this.#held = reason
  }

  endRest(reason: string): void {
    this.#off = reason
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

/** The key of a record of the kind `sources` is the source. */
export const sourceOf = (kind: RecordKind, key: string, record: AnyRecord): string =>
  kind === 'sources' || !('source' in record) ? key : record.source

/** Nothing is known about the records of a source while its site is unreachable. */
function lostSiteReason(source: SourceState | undefined): string | undefined {
  if (source?.siteUnreachableSince === undefined) return undefined
  return `No word from site ${source.site ?? mainSite}.`
}

const isStale = (record: AnyRecord): boolean => 'staleSince' in record && record.staleSince !== undefined
