import * as z from 'zod/mini'
import { ConnectionHealth, EpochMs, fromSource } from './common.ts'

/** Totals over 24 hours; averageProcessTimeMs in milliseconds. */
export const MailStats = z.object({
  updatedAt: z.string(),
  countTotal: z.number(),
  countIn: z.number(),
  countOut: z.number(),
  spamIn: z.number(),
  virusIn: z.number(),
  bouncesIn: z.number(),
  bouncesOut: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  rblRejects: z.number(),
  pregreetRejects: z.number(),
  greylistCount: z.number(),
  junkIn: z.number(),
  averageProcessTimeMs: z.number(),
})
export type MailStats = z.infer<typeof MailStats>

export const QueueStatus = z.object({
  total: z.number(),
  active: z.number(),
  deferred: z.number(),
  hold: z.number(),
  incoming: z.number(),
  /** when the oldest mail came in; absent in an empty queue */
  oldestAt: z.optional(EpochMs),
})

export const GatewayNode = z.object({
  name: z.string(),
  role: z.string(),
  status: z.string(),
  startedAt: z.optional(EpochMs),
  loadAvg: z.string(),
  queueStatus: z.optional(QueueStatus),
})

export const MailGateway = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  status: z.string(),
  version: z.string(),
  connectionHealth: ConnectionHealth,
  lastUpdated: z.string(),
  mailStats: z.optional(MailStats),
  quarantine: z.optional(
    z.object({ spam: z.number(), virus: z.number(), attachment: z.number(), blacklisted: z.number() }),
  ),
  spamDistribution: z.optional(z.array(z.object({ score: z.string(), count: z.number() }))),
  nodes: z.optional(z.array(GatewayNode)),
  ...fromSource,
})
export type MailGateway = z.infer<typeof MailGateway>
