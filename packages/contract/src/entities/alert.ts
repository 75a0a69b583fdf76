import * as z from 'zod/mini'

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
  metadata: z.optional(z.record(z.string(), z.unknown())),
})
export type Alert = z.infer<typeof Alert>

export const ResolvedAlert = z.object({ ...Alert.shape, resolvedTime: z.string() })
export type ResolvedAlert = z.infer<typeof ResolvedAlert>
