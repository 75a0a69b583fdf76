import type { AlertTypeName, SettingOrigin } from '@pulse/contract'
import type { Delay } from './delays.ts'

export type AlertLevel = 'warning' | 'critical'

/**
 * `bad`: beyond the trigger. `between`: between clear value and trigger. `held`: unknown, so the alert keeps
 * its state. `off`: not evaluated, so an open alert ends.
 */
export type Verdict = 'bad' | 'between' | 'fine' | 'held' | 'off'

/** The resource with the names that pages and messages use. */
export interface Resource {
  /** as on the wire; can change, for instance when a guest migrates */
  id: string
  name: string
  node: string
  instance: string
  /** `VM`, `Container`, `Node`, … */
  type: string
}

/** The result of a rule for one condition of a record, with all values that it used. */
export interface Condition {
  /** id of its alert; contains no name or location that can change */
  id: string
  /** type of the alert; the catalogue has its unit and category */
  type: AlertTypeName
  verdict: Verdict
  /** of its source; absent: the main site */
  site?: string | undefined
  /** why it is held or off */
  reason?: string | undefined
  resource: Resource
  value: number
  threshold: number
  clear?: number | undefined
  /** limit for critical */
  criticalAt?: number | undefined
  /** where the threshold is set */
  origin?: SettingOrigin | undefined
  level: AlertLevel
  /** required duration; absent: see `confirmations` */
  delay?: Delay | undefined
  /** required consecutive checks; absent without a delay: one */
  confirmations?: number | undefined
  /** epoch ms of the start, if the source reports it */
  since?: number | undefined
  /** a measured figure: a small recurrence continues the same alert */
  isFigure?: boolean | undefined
  message: string
  metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * A condition as a rule emits it: the record supplies the resource, and a condition without a figure needs no
 * limit.
 */
export type FoundCondition = Omit<Condition, 'resource' | 'value' | 'threshold'> &
  Partial<Pick<Condition, 'resource' | 'value' | 'threshold'>>

/** A reason to hold takes precedence over the verdict. */
export const judged = (isBad: boolean, held: string | undefined): Pick<Condition, 'verdict' | 'reason'> => ({
  verdict: held === undefined ? (isBad ? 'bad' : 'fine') : 'held',
  reason: held,
})

/** Wall time for display, monotonic time for durations. In milliseconds. */
export interface Moment {
  now: number
  monotonic: number
}
