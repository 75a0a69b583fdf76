import * as z from 'zod/mini'

/** Bytes; 0 or more. Upstream counters may exceed 2^53; the collector clamps them there. */
export const Bytes = z.number().check(z.gte(0))

/** The last moment of a `Date`, in milliseconds since 1970 UTC. */
export const latestMs = 8.64e15
/** Milliseconds since 1970 UTC, as far as a `Date` goes. */
export const EpochMs = z.number().check(z.gte(-latestMs), z.lte(latestMs))

/**
 * For a figure with its own age: the time it was last right, set while the figure is older than its limit.
 */
const aged = { staleSince: z.optional(EpochMs) }

/** used and free are absent while unknown; usage is percent 0-100. */
export const Usage = z.object({
  total: Bytes,
  used: z.optional(Bytes),
  free: z.optional(Bytes),
  usage: z.optional(z.number()),
  ...aged,
})
export type Usage = z.infer<typeof Usage>

/**
 * Why a guest's memory figure may include page cache: its agent has not answered yet, or has stopped
 * answering.
 */
export const MemoryEstimate = z.enum(['agent-pending', 'agent-silent'])
export type MemoryEstimate = z.infer<typeof MemoryEstimate>

export const Memory = z.object({
  total: Bytes,
  used: Bytes,
  free: Bytes,
  /** percent 0-100 */
  usage: z.number(),
  /** bytes that the balloon currently leaves to the guest */
  balloon: z.optional(Bytes),
  swapUsed: z.optional(Bytes),
  swapTotal: z.optional(Bytes),
  /** set while a guest's figure is an estimate */
  estimate: z.optional(MemoryEstimate),
  ...aged,
})
export type Memory = z.infer<typeof Memory>

export const ConnectionHealth = z.enum(['healthy', 'degraded', 'error', 'offline', 'unknown'])
export type ConnectionHealth = z.infer<typeof ConnectionHealth>

/** Common fields of every record of the live state. */
export const fromSource = {
  /** id of the connection or agent that observed the record */
  source: z.string(),
  /** time when the figures as a whole were last right, set while they are older than their limit */
  staleSince: z.optional(EpochMs),
}
