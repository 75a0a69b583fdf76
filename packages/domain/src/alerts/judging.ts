import type { Alert, AlertConfig, AlertMetric, RecordKind, RecordOf } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { FoundCondition, Resource } from './condition.ts'
import type { Policy, PolicyKind } from './policy.ts'

/** The input of a rule, and how it emits conditions. */
export interface Judging {
  /** key of the record */
  readonly record: string
  readonly config: AlertConfig
  readonly policy: Policy
  readonly tables: Tables
  /** epoch ms: the date for ages; see `dateClock` */
  readonly now: number
  /** epoch ms by the wall clock: for comparison with other wall times */
  readonly wallNow: number
  /** ms that the engine has run, restarts included */
  readonly runtime: number
  /** No other metric is evaluated. */
  readonly onlyMetric: AlertMetric | undefined
  /** A condition of the record is pending or open, or a trace is requested: emit fine conditions too. */
  readonly isWatched: boolean
  readonly resource: Resource
  policyOf(kind: PolicyKind, recordKey: string, record: object): Policy
  isOpen(id: string): boolean
  /** The open alert of that id. */
  openAlert(id: string): Alert | undefined
  /** Computes a value once for all records that are evaluated at the same time. */
  once<T>(name: string, make: () => T): T
  /** The condition is pending or open, or a trace is requested: emit it even when it is fine. */
  isFollowed(id: string): boolean
  /** Why the source counts as unreachable. */
  silence(source: string): string | undefined
  emit(found: FoundCondition): void
  /** Holds the conditions that are not emitted this time. Without this call they end. */
  holdRest(reason: string): void
  /** Ends those conditions because they are switched off. */
  endRest(reason: string): void
  /** Evaluate again when that record arrives. */
  waitFor(kind: RecordKind, record: string): void
  /** Evaluate again after this time at the latest, even without a change. */
  recheckIn(ms: number): void
  /** A JSON value that the rule stores for its next evaluation of this record. `undefined` removes it. */
  recall<T>(name: string): T | undefined
  keep(name: string, value: unknown): void
}

/** One check of a record. */
export interface Rule<R> {
  /** unique among all */
  name: string
  /** It is evaluated for stale records too, and holds its conditions itself. */
  seesStale?: boolean
  /** It is evaluated although the site of the record's source is unreachable. */
  seesLostSite?: boolean
  /** Emits only bad conditions. All others are fine. */
  namesOnlyBad?: boolean
  judge(record: R, on: Judging): void
}

/** The rules for one kind of record. */
export interface Subject<K extends RecordKind = RecordKind> {
  kind: K
  /** the kind of settings that apply; absent: the rules read settings themselves */
  settings?: PolicyKind
  /** Filters the records of the kind; absent: all. */
  concerns?(record: RecordOf<K>): boolean
  /** Records are incomplete at first. They are evaluated after this time. */
  settlesMs?: number
  /** An unreachable source sends no answers, so elapsed time counts as a check. */
  looksByItself?: boolean
  /** ms between two answers that count as two checks; absent: slightly below the poll interval */
  answersApartMs?: number
  /** Joined from records of several sources, so the mark of a source does not reach them. */
  isJoined?: boolean
  /** Records depend on each other, so a change evaluates all of them. For kinds with few records. */
  together?: boolean
  resource(record: RecordOf<K>, key: string, tables: Tables): Resource
  /** Why the other rules do not apply: an alert already reports that it is offline. */
  down?(record: RecordOf<K>, on: Judging): string | undefined
  /** in order: the rule that detects the offline state comes first */
  rules: readonly Rule<RecordOf<K>>[]
}
