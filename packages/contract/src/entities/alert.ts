import * as z from 'zod/mini'

/**
 * Why an alert ended. `condition`: its cause is gone. `unwatched`: it is no longer evaluated, for example
 * after a change of settings. `displaced`: it continues, but others took its place in the list. `gone`: its
 * resource no longer exists. `cleared`: an administrator cleared it.
 */
export const EndReason = z.enum(['condition', 'unwatched', 'displaced', 'gone', 'cleared'])
export type EndReason = z.infer<typeof EndReason>

/** Times are RFC 3339 text, as on the wire. */
export const Alert = z.object({
  id: z.string(),
  type: z.string(),
  /** `critical`; any other value is a warning */
  level: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
  node: z.string(),
  instance: z.string(),
  /** the site of its source; absent: the main site */
  site: z.optional(z.string()),
  message: z.string(),
  value: z.number(),
  threshold: z.number(),
  startTime: z.string(),
  lastSeen: z.optional(z.string()),
  acknowledged: z.boolean(),
  ackTime: z.optional(z.string()),
  ackUser: z.optional(z.string()),
  /** last delivered message, to the minute; absent before the first */
  lastNotified: z.optional(z.string()),
  /** highest escalation level that was sent, from 1; absent before the first */
  lastEscalation: z.optional(z.number()),
  /** when each level was sent */
  escalationTimes: z.optional(z.array(z.string())),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  /** set when the alert has ended */
  endReason: z.optional(EndReason),
  /** a sentence of explanation, when it ended for another reason than its condition */
  endNote: z.optional(z.string()),
})
export type Alert = z.infer<typeof Alert>

export const ResolvedAlert = z.object({ ...Alert.shape, resolvedTime: z.string() })
export type ResolvedAlert = z.infer<typeof ResolvedAlert>
