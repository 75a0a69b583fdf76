import * as z from 'zod/mini'

/** Durations in seconds. */
export const Performance = z.object({
  apiCallDuration: z.record(z.string(), z.number()),
  lastPollDuration: z.number(),
  pollingStartTime: z.string(),
  totalApiCalls: z.number(),
  failedApiCalls: z.number(),
  /** listings of running guests answered from cached details */
  cacheHits: z.number(),
  /** requests for such details */
  cacheMisses: z.number(),
})
export type Performance = z.infer<typeof Performance>

export const Stats = z.object({
  startTime: z.string(),
  pollingCycles: z.number(),
  webSocketClients: z.number(),
  version: z.string(),
})
export type Stats = z.infer<typeof Stats>

/** Stats as the documented API has them, with the uptime. */
export const PlainStats = z.object({
  ...Stats.shape,
  /** seconds */
  uptime: z.number(),
})

/** A notice about the product itself for the administrator. */
export const Notice = z.object({ id: z.string(), level: z.enum(['info', 'warning']), message: z.string() })
export type Notice = z.infer<typeof Notice>

/** What history samples of the process. The amounts are those since the report before. */
export const ProcessFigures = z.object({
  rssBytes: z.number(),
  /** 99 % of all moments waited at most this long for the event loop */
  loopWaitMs: z.number(),
  /** the longest cycle of polling */
  pollMs: z.number(),
  /** absent until there are two reports */
  callsPerMinute: z.optional(z.number()),
  /** to disk; absent where the system does not count it */
  writtenPerSecond: z.optional(z.number()),
})
export type ProcessFigures = z.infer<typeof ProcessFigures>

/** The one record about the product itself. */
export const Meta = z.object({
  performance: Performance,
  process: z.optional(ProcessFigures),
  stats: Stats,
  notices: z.array(Notice),
  /** several processes monitor the same connections, so that connections can have sites */
  isCluster: z.optional(z.boolean()),
})
export type Meta = z.infer<typeof Meta>
