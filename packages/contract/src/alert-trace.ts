import * as z from 'zod/mini'
import { NoticeKind, Wait } from './notification-deliveries.ts'

/** Where the value comes from: an override, a custom rule or the defaults. */
export const SettingOrigin = z.object({
  from: z.enum(['override', 'rule', 'defaults']),
  /** of the rule, or of the section of the defaults */
  name: z.optional(z.string()),
})
export type SettingOrigin = z.infer<typeof SettingOrigin>

/**
 * - `normal`: nothing to report; `off`: switched off; `unknown`: there is no figure
 * - `pending`: beyond the threshold, not yet for long enough
 * - `active`: an alert; `clearing`: an alert whose figure lies between trigger and clear
 * - `held`: keeps its state, because the figures are stale or come from another origin
 * - `suppressed`: would be an alert, but another condition or a setting suppresses it
 */
export const TraceState = z.enum([
  'normal',
  'off',
  'unknown',
  'pending',
  'active',
  'clearing',
  'held',
  'suppressed',
])
export type TraceState = z.infer<typeof TraceState>

/** An entry about notifications: a message that was sent, or the reason why none was. */
export const TracedNotice = z.object({
  /** RFC 3339 */
  at: z.string(),
  /** name of the channel; absent when the entry concerns all channels */
  channel: z.optional(z.string()),
  /** a sentence */
  text: z.string(),
  /** why a message is still waiting */
  wait: z.optional(Wait),
  /** the next message if the alert lasts, and its time in RFC 3339 */
  next: z.optional(z.object({ kind: NoticeKind, at: z.string() })),
})
export type TracedNotice = z.infer<typeof TracedNotice>

/** One monitored condition of a resource, with the values of its last evaluation. */
export const TracedCondition = z.object({
  alertId: z.string(),
  type: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
  state: TraceState,
  value: z.optional(z.number()),
  /** such as `%`, `MB/s`, `°C` or `days` */
  unit: z.optional(z.string()),
  threshold: z.optional(z.object({ trigger: z.number(), clear: z.number(), origin: SettingOrigin })),
  level: z.optional(z.enum(['warning', 'critical'])),
  /**
   * why it is critical: the figure reached `at`, or a setting says so; without both, its type is always
   * critical
   */
  criticalBy: z.optional(z.object({ at: z.optional(z.number()), origin: z.optional(SettingOrigin) })),
  /** required and elapsed duration */
  delay: z.optional(z.object({ seconds: z.number(), passedSeconds: z.number(), origin: SettingOrigin })),
  /** required and seen confirmations */
  confirmations: z.optional(z.object({ needed: z.number(), seen: z.number() })),
  /** why it is off, held, unknown or suppressed: a sentence */
  reason: z.optional(z.string()),
  /** RFC 3339; since when the figure is beyond the threshold */
  since: z.optional(z.string()),
  /** RFC 3339; last evaluation */
  evaluatedAt: z.optional(z.string()),
  /** the steps taken, in order; one sentence each */
  steps: z.array(z.string()),
  /** notifications about it, oldest first; absent when there are none */
  notices: z.optional(z.array(TracedNotice)),
})
export type TracedCondition = z.infer<typeof TracedCondition>

/** Explains why a resource has an alert, or has none. */
export const AlertTrace = z.object({
  /** what suppresses all alerts, such as alerts not being activated */
  gates: z.array(z.string()),
  conditions: z.array(TracedCondition),
})
export type AlertTrace = z.infer<typeof AlertTrace>
