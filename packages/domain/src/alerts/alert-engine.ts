import type { Alert, AlertConfig, AlertMetric, ResolvedAlert, TracedCondition } from '@pulse/contract'
import type { StatePatch } from '../state/patch.ts'
import type { Tables } from '../state/tables.ts'
import type { AlertLimits } from './alert-bound.ts'
import type { Moment } from './condition.ts'
import type { Subject } from './judging.ts'
import type { SentNotice } from './notified.ts'
import type { AlertChange, EngineSnapshot, Restored } from './stored.ts'

export interface AlertEngineEdges {
  /** the state after each patch */
  tables: Tables
  config: AlertConfig
  restored?: Restored | undefined
  newId: () => string
  moment: Moment
  /** Receives the error of a rule; the other rules still run. */
  onFault?: (error: unknown) => void
  subjects?: readonly Subject[]
  /** Every record of a patch is an answer of its own: answers of sources confirm nothing. A back-test needs it. */
  recordsAreAnswers?: boolean
  /** Thresholds of other metrics are not evaluated. A back-test is about one. */
  onlyMetric?: AlertMetric
  /** limits of the number of alerts */
  limits?: AlertLimits | undefined
}

/**
 * Turns changes of the state into alerts. Time and ids are arguments; the cost depends on the size of the
 * change.
 */
export interface AlertEngine {
  /** Applies a patch of the state. */
  apply(patch: StatePatch, moment: Moment): AlertChange[]
  /** Runs the due timers. */
  due(moment: Moment): AlertChange[]
  /** Monotonic time of the next timer. */
  nextDue(): number | undefined
  /** `step` evaluates every record again: alerts that still apply stay unchanged. */
  configure(config: AlertConfig, moment: Moment): void
  /**
   * Runs one step of the queued work: records to evaluate with new settings, and patches that arrived
   * meanwhile.
   */
  step(): AlertChange[]
  /** Work is queued for `step`. */
  readonly isBusy: boolean
  /** Acknowledges those that are open and unacknowledged. */
  acknowledge(ids: Iterable<string>, user: string, moment: Moment): AlertChange[]
  unacknowledge(ids: Iterable<string>, moment: Moment): AlertChange[]
  /** A cleared condition fires again only after it has ended, or when a warning becomes critical. */
  clear(ids: Iterable<string>, moment: Moment): AlertChange[]
  /** Notifications were delivered. */
  notified(notices: Iterable<SentNotice>, moment: Moment): AlertChange[]
  active(): ReadonlyMap<string, Alert>
  recentlyResolved(): ReadonlyMap<string, ResolvedAlert>
  /** The trace of an alert or of all conditions of a resource; undefined when both are unknown. */
  explain(what: string, moment: Moment): TracedCondition[] | undefined
  snapshot(moment: Moment): EngineSnapshot
  /** Sizes for the diagnostics. */
  readonly size: { tracked: number; due: number; remembered: number; kept: number }
}
