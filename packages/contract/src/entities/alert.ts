import * as z from 'zod/mini'

/**
 * Why an alert ended. `condition`: what it reports is over. `unwatched`: it is not judged any more, such as after a change of
 * settings. `displaced`: it goes on, but others took its place in the list. `gone`: what it was about is no longer there. `cleared`: an administrator cleared it.
 */
export const EndReason = z.enum(['condition', 'unwatched', 'displaced', 'gone', 'cleared'])
export type EndReason = z.infer<typeof EndReason>

/** Times are RFC 3339 text, as on the wire. */
export const Alert = z.object({
  id: z.string(),
  type: z.string(),
  /** critical, or anything else for a warning */
  level: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
  node: z.string(),
  instance: z.string(),
  message: z.string(),
  value: z.number(),
  threshold: z.number(),
  startTime: z.string(),
  lastSeen: z.optional(z.string()),
  acknowledged: z.boolean(),
  ackTime: z.optional(z.string()),
  ackUser: z.optional(z.string()),
  /** when a message about it was delivered last, to the minute; absent before the first */
  lastNotified: z.optional(z.string()),
  /** 1 for the first level of escalation that was sent, and so on; absent before */
  lastEscalation: z.optional(z.number()),
  /** when each level was sent */
  escalationTimes: z.optional(z.array(z.string())),
  metadata: z.optional(z.record(z.string(), z.unknown())),
  /** present once it has ended */
  endReason: z.optional(EndReason),
  /** a sentence that says more, where it ended for another reason than its condition */
  endNote: z.optional(z.string()),
})
export type Alert = z.infer<typeof Alert>

export const ResolvedAlert = z.object({ ...Alert.shape, resolvedTime: z.string() })
export type ResolvedAlert = z.infer<typeof ResolvedAlert>
