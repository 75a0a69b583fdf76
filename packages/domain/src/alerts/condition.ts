import type { AlertTypeName, SettingOrigin } from '@pulse/contract'
import type { Delay } from './delays.ts'

export type AlertLevel = 'warning' | 'critical'

/**
 * `bad`: beyond the trigger. `between`: neither beyond it nor back to the clear value. `held`: unknown, so the alert stays as it
 * is. `off`: not evaluated, so an open alert ends.
 */
export type Verdict = 'bad' | 'between' | 'fine' | 'held' | 'off'

/** The resource as pages and messages name it. */
export interface Resource {
  /** as on the wire: it may change, for instance when a guest migrates */
  id: string
  name: string
  node: string
  instance: string
  /** `VM`, `Container`, `Node`, … */
  type: string
}

/** The result of a rule for one thing of one record, with everything that it was judged by. */
export interface Condition {
  /** of its alert: contains no name or location that can change */
  id: string
  /** of the alert; the catalogue has its unit and category */
  type: AlertTypeName
  verdict: Verdict
  /** why it is held or off */
  reason?: string | undefined
  resource: Resource
  value: number
  threshold: number
  clear?: number | undefined
  /** limit for critical */
  criticalAt?: number | undefined
  /** where the threshold comes from */
  origin?: SettingOrigin | undefined
  level: AlertLevel
  /** how long it must last; absent: see `confirmations` */
  delay?: Delay | undefined
  /** how many checks in a row must confirm it; absent, and without a delay: one */
  confirmations?: number | undefined
  /** epoch ms: when it began, if the source reports that */
  since?: number | undefined
  /** a measured figure: a small recurrence continues the same alert */
  isFigure?: boolean | undefined
  message: string
  metadata?: Readonly<Record<string, unknown>> | undefined
}

/** As a rule names it: its resource is the record's, and one without a figure needs no limit. */
export type FoundCondition = Omit<Condition, 'resource' | 'value' | 'threshold'> &
  Partial<Pick<Condition, 'resource' | 'value' | 'threshold'>>

/** The verdict where a reason to hold it goes before all else. */
export const judged = (isBad: boolean, held: string | undefined): Pick<Condition, 'verdict' | 'reason'> => ({
  verdict: held === undefined ? (isBad ? 'bad' : 'fine') : 'held',
  reason: held,
})

/** Wall time for display, monotonic time for durations. In milliseconds. */
export interface Moment {
  now: number
  monotonic: number
}
