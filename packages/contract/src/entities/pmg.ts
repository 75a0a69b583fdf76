import * as z from 'zod/mini'
import { ConnectionHealth, EpochMs, fromSource } from './common.ts'

/** Totals over 24 hours; averageProcessTimeMs in milliseconds. */
export const MailStats = z.object({
  timeframe: z.literal('day'),
  updatedAt: z.string(),
  countTotal: z.number(),
  countIn: z.number(),
  countOut: z.number(),
  spamIn: z.number(),
  spamOut: z.number(),
  virusIn: z.number(),
  virusOut: z.number(),
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

/** Mail counts of one hour. */
export const MailHour = z.object({
  /** start of the hour, like windowStart */
  timestamp: z.string(),
  windowStart: z.string(),
  timeframe: z.literal('hour'),
  index: z.number(),
  count: z.number(),
  countIn: z.number(),
  countOut: z.number(),
  /** as the gateway counts by the hour: includes greylisted mail and mail rejected unread */
  spamIn: z.number(),
  spamOut: z.number(),
  virusIn: z.number(),
  virusOut: z.number(),
  rblRejects: z.number(),
  pregreet: z.number(),
  bouncesIn: z.number(),
  bouncesOut: z.number(),
})
export type MailHour = z.infer<typeof MailHour>

/** Today's counts of a mail domain. */
export const MailDomain = z.object({
  domain: z.string(),
  countIn: z.number(),
  countOut: z.number(),
  spamIn: z.number(),
  virusIn: z.number(),
  bytesIn: z.number(),
  bytesOut: z.number(),
})
export type MailDomain = z.infer<typeof MailDomain>

export const QueueStatus = z.object({
  total: z.number(),
  active: z.number(),
  deferred: z.number(),
  hold: z.number(),
  incoming: z.number(),
  /** arrival of the oldest mail; absent when the queue is empty */
  oldestAt: z.optional(EpochMs),
  updatedAt: z.string(),
})
export type QueueStatus = z.infer<typeof QueueStatus>

export const GatewayNode = z.object({
  name: z.string(),
  /** `master` or `node` in a cluster */
  role: z.string(),
  /** online, or offline when its cluster cannot reach it */
  status: z.string(),
  /** why it is offline, or why reading its queues failed */
  error: z.optional(z.string()),
  /** since when its queues are stale */
  staleSince: z.optional(EpochMs),
  startedAt: z.optional(EpochMs),
  loadAvg: z.string(),
  queueStatus: z.optional(QueueStatus),
})
export type GatewayNode = z.infer<typeof GatewayNode>

/** A cluster counts mail as a whole. Gateways with the same fingerprint report the same counts. */
export const GatewayCluster = z.object({
  /** of the master's certificate */
  fingerprint: z.string(),
})
export type GatewayCluster = z.infer<typeof GatewayCluster>

export const MailGateway = z.object({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  status: z.string(),
  version: z.string(),
  connectionHealth: ConnectionHealth,
  lastUpdated: z.string(),
  mailStats: z.optional(MailStats),
  mailCount: z.optional(z.array(MailHour)),
  quarantine: z.optional(
    z.object({
      spam: z.number(),
      virus: z.number(),
      attachment: z.number(),
      /** absent where the gateway does not count them, and 0 on the plain wire */
      blacklisted: z.optional(z.number()),
    }),
  ),
  spamDistribution: z.optional(z.array(z.object({ score: z.string(), count: z.number() }))),
  domains: z.optional(z.array(MailDomain)),
  nodes: z.optional(z.array(GatewayNode)),
  cluster: z.optional(GatewayCluster),
  ...fromSource,
})
export type MailGateway = z.infer<typeof MailGateway>
