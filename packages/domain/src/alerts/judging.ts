import type { Alert, AlertConfig, RecordKind, RecordOf } from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import type { Condition, Resource } from './condition.ts'
import type { Policy, PolicyKind } from './policy.ts'

/** What a rule is given, and what it says. */
export interface Judging {
  /** key of the record */
  readonly record: string
  readonly config: AlertConfig
  readonly policy: Policy
  readonly tables: Tables
  /** epoch ms: the date, for the age of what is dated. No clock that is set moves it. */
  readonly now: number
  /** epoch ms, as the clock on the wall: for moments that were told by the same clock */
  readonly wallNow: number
  /** ms that the engine has run, restarts included: for what lasts longer than a process */
  readonly runtime: number
  /** Something of the record is pending or open, or somebody asks: what is well counts too. */
  readonly isWatched: boolean
  readonly resource: Resource
  policyOf(kind: PolicyKind, recordKey: string, record: object): Policy
  isOpen(id: string): boolean
  /** The open alert of that id. */
  openAlert(id: string): Alert | undefined
  /** What is worked out from all records, once for all that are judged at the same moment. */
  once<T>(name: string, make: () => T): T
  /** Somebody waits to hear of this condition that it is well: it is pending or open, or somebody asks for all. */
  isFollowed(id: string): boolean
  /** Why nothing new is known from a source, if so. */
  silence(source: string): string | undefined
  emit(condition: Condition): void
  /** What it does not name this time stays as it was; otherwise that is over. */
  holdRest(reason: string): void
  /** Look again as soon as something is told about that record. */
  waitFor(kind: RecordKind, record: string): void
  /** Look again in that time at the latest, whether or not something changes. */
  recheckIn(ms: number): void
  /** What the rule wants to know of this record next time: JSON. undefined forgets it. */
  recall<T>(name: string): T | undefined
  keep(name: string, value: unknown): void
}

/** One thing that is looked for. */
export interface Rule<R> {
  /** unique among all */
  name: string
  /** The age of the figures is no reason against it: it says itself what is held. */
  seesStale?: boolean
  /** It names only what is not well: what it does not name any more is well. */
  namesOnlyBad?: boolean
  judge(record: R, on: Judging): void
}

/** All that is looked for in one kind of record. */
export interface Subject<K extends RecordKind = RecordKind> {
  kind: K
  /** whose settings apply; absent: the rules ask themselves */
  settings?: PolicyKind
  /** Others of its kind are not looked at; absent: all are. */
  concerns?(record: RecordOf<K>): boolean
  /** It is not complete at once: nothing is judged before it has been there for so long. */
  settlesMs?: number
  /** Nobody answers for what is away: time that passes is a look. */
  looksByItself?: boolean
  /** Between two answers of its source that count as two; absent: a little less than the usual rhythm. */
  answersApartMs?: number
  /** What one of them says depends on the others: a change looks at all. For kinds of which there are few. */
  together?: boolean
  resource(record: RecordOf<K>, key: string, tables: Tables): Resource
  /** Why nothing of it can be judged, while something else of it tells the same: it is offline. */
  down?(record: RecordOf<K>, on: Judging): string | undefined
  /** in this order: what says that it is away comes first */
  rules: readonly Rule<RecordOf<K>>[]
}
