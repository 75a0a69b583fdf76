import * as z from 'zod/mini'
import { NoticeKind, Wait } from './notification-deliveries.ts'

/** Which of the values that could apply did: set for this one, by a custom rule, or for all. */
export const SettingOrigin = z.object({
  from: z.enum(['override', 'rule', 'defaults']),
  /** of the rule, or of the part of the defaults */
  name: z.optional(z.string()),
})
export type SettingOrigin = z.infer<typeof SettingOrigin>

/**
 * - `normal`: nothing to report; `off`: switched off; `unknown`: there is no figure
 * - `pending`: beyond the threshold, not yet for long enough
 * - `active`: an alert; `clearing`: an alert whose figure lies between trigger and clear
 * - `held`: stays as it was, because what is known is old or about another origin
 * - `suppressed`: would be an alert, and a reason speaks against it
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

/** Something about sending: what went to whom, or why it did not. */
export const TracedNotice = z.object({
  /** RFC 3339 */
  at: z.string(),
  /** name of the channel; absent where it concerns all */
  channel: z.optional(z.string()),
  /** a sentence */
  text: z.string(),
  /** of a message that is still to be sent: what it waits for */
  wait: z.optional(Wait),
  /** the message that comes when it lasts, and when: RFC 3339 */
  next: z.optional(z.object({ kind: NoticeKind, at: z.string() })),
})
export type TracedNotice = z.infer<typeof TracedNotice>

/** One thing that is watched of a resource, with the values that its last evaluation used. */
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
  /** what made it critical: the figure reached `at`, or a setting says so; with neither its type alone does */
  criticalBy: z.optional(z.object({ at: z.optional(z.number()), origin: z.optional(SettingOrigin) })),
  /** how long it must last, and has lasted */
  delay: z.optional(z.object({ seconds: z.number(), passedSeconds: z.number(), origin: SettingOrigin })),
  /** how often it must be seen, and has been */
  confirmations: z.optional(z.object({ needed: z.number(), seen: z.number() })),
  /** why it is off, held, unknown or suppressed: a sentence */
  reason: z.optional(z.string()),
  /** RFC 3339; since when the figure is beyond the threshold */
  since: z.optional(z.string()),
  /** RFC 3339; when it was last looked at */
  evaluatedAt: z.optional(z.string()),
  /** what was done about it, in order: each a sentence */
  steps: z.array(z.string()),
  /** what was sent to whom about it, oldest first; absent when there is nothing to say */
  notices: z.optional(z.array(TracedNotice)),
})
export type TracedCondition = z.infer<typeof TracedCondition>

/** Why something is an alert, or is not. */
export const AlertTrace = z.object({
  /** what keeps all alerts back, such as that alerts are not active */
  gates: z.array(z.string()),
  conditions: z.array(TracedCondition),
})
export type AlertTrace = z.infer<typeof AlertTrace>
