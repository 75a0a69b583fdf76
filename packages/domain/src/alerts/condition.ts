import type { AlertTypeName, SettingOrigin } from '@pulse/contract'
import type { Delay } from './delays.ts'

export type AlertLevel = 'warning' | 'critical'

/**
 * `bad`: beyond the trigger. `between`: neither beyond it nor back to the clear value. `held`: nobody knows, so all
 * stays as it was. `off`: it is not to be judged, so nothing of it stays open.
 */
export type Verdict = 'bad' | 'between' | 'fine' | 'held' | 'off'

/** Whose condition it is, as people and pages know it. */
export interface Resource {
  /** as on the wire, so that it may change: when a guest moves, for instance */
  id: string
  name: string
  node: string
  instance: string
  /** `VM`, `Container`, `Node`, … */
  type: string
}

/** What a rule says about one thing of one record, with everything that it was judged by. */
export interface Condition {
  /** of the alert it may become: neither a name that can change nor a place is in it */
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
  /** from where on it is critical */
  criticalAt?: number | undefined
  /** where the threshold comes from */
  origin?: SettingOrigin | undefined
  level: AlertLevel
  /** how long it must last; absent: see `confirmations` */
  delay?: Delay | undefined
  /** in how many looks in a row it must be seen; absent, and without a delay: once */
  confirmations?: number | undefined
  /** epoch ms: when it began, where that is told and not seen */
  since?: number | undefined
  /** a figure that goes up and down: it is not told again for next to nothing */
  isFigure?: boolean | undefined
  message: string
  metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Wall time for what people see, monotonic time for what lasts. In milliseconds. */
export interface Moment {
  now: number
  monotonic: number
}
