import * as z from 'zod/mini'
import { EpochMs } from './common.ts'

/** Durations in seconds. */
export const Performance = z.object({
  apiCallDuration: z.record(z.string(), z.number()),
  lastPollDuration: z.number(),
  pollingStartTime: z.string(),
  totalApiCalls: z.number(),
  failedApiCalls: z.number(),
  /** listings of running guests whose details were at hand from an earlier question */
  cacheHits: z.number(),
  /** questions that were asked for such details */
  cacheMisses: z.number(),
})
export type Performance = z.infer<typeof Performance>

export const Stats = z.object({
  startTime: z.string(),
  /** seconds */
  uptime: z.number(),
  pollingCycles: z.number(),
  webSocketClients: z.number(),
  version: z.string(),
})
export type Stats = z.infer<typeof Stats>

export const SourceState = z.object({
  /** the bare instance name, or with the prefix of its kind: the key used in connectionHealth */
  name: z.string(),
  kind: z.enum(['pve', 'pbs', 'pmg', 'docker']),
  health: z.enum(['healthy', 'degraded', 'error', 'unknown']),
  /** when it last answered */
  lastSeen: z.optional(EpochMs),
  /** what went wrong since the last success */
  error: z.optional(z.string()),
  /** It answers, but not to us: its certificate or our account is not accepted. */
  refused: z.optional(z.boolean()),
  /** set while nothing fresh comes from it: when its figures were last right */
  staleSince: z.optional(EpochMs),
})
export type SourceState = z.infer<typeof SourceState>

/** Something about the product itself that the administrator should see. */
export const Notice = z.object({ id: z.string(), level: z.enum(['info', 'warning']), message: z.string() })
export type Notice = z.infer<typeof Notice>

/** The one record about the product itself. */
export const Meta = z.object({
  connectionHealth: z.record(z.string(), z.boolean()),
  performance: Performance,
  stats: Stats,
  /** by connection id */
  sources: z.record(z.string(), SourceState),
  notices: z.array(Notice),
})
export type Meta = z.infer<typeof Meta>
