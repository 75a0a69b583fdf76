import type { Alert, AlertConfig, ResolvedAlert, TracedCondition } from '@pulse/contract'
import type { StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import type { AlertLimits } from './alert-bound.ts'
import type { Moment } from './condition.ts'
import type { Subject } from './judging.ts'
import type { SentNotice } from './notified.ts'
import type { AlertChange, EngineSnapshot, Restored } from './stored.ts'

export interface AlertEngineEdges {
  /** as they are after each patch */
  tables: Tables
  config: AlertConfig
  restored?: Restored | undefined
  newId: () => string
  moment: Moment
  /** A rule that throws judges nothing, and keeps no other from it. */
  onFault?: (error: unknown) => void
  subjects?: readonly Subject[]
  /** how many alerts there are at most */
  limits?: AlertLimits | undefined
}

/** Turns what changes into alerts. Time and ids come from outside; what it costs follows what changed. */
export interface AlertEngine {
  /** What the state has just taken in. */
  apply(patch: StatePatch, moment: Moment): AlertChange[]
  /** What has fallen due by now. */
  due(moment: Moment): AlertChange[]
  /** Monotonic; when something falls due next. */
  nextDue(): number | undefined
  /** `step` evaluates every record again: alerts that still apply stay unchanged. */
  configure(config: AlertConfig, moment: Moment): void
  /** Some of what waits: records that are to be judged by new settings, and patches that came meanwhile. */
  step(): AlertChange[]
  /** Something waits for `step`. */
  readonly isBusy: boolean
  /** Those that are open and not acknowledged yet. */
  acknowledge(ids: Iterable<string>, user: string, moment: Moment): AlertChange[]
  unacknowledge(ids: Iterable<string>, moment: Moment): AlertChange[]
  /** While they last they do not fire again before they have ended once, unless a warning becomes critical. */
  clear(ids: Iterable<string>, moment: Moment): AlertChange[]
  /** Messages about alerts were delivered. */
  notified(notices: Iterable<SentNotice>, moment: Moment): AlertChange[]
  active(): ReadonlyMap<string, Alert>
  recentlyResolved(): ReadonlyMap<string, ResolvedAlert>
  /** Of an alert, or of all that is watched of a resource; undefined when there is neither. */
  explain(what: string, moment: Moment): TracedCondition[] | undefined
  snapshot(moment: Moment): EngineSnapshot
  /** How much is followed, for the diagnostics. */
  readonly size: { tracked: number; due: number; remembered: number; kept: number }
}
