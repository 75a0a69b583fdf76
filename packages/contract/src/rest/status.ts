import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Performance, PlainStats } from '../entities/meta.ts'
import { PlainState } from '../plain.ts'

const reader = { method: 'GET', access: 'user', scope: 'monitoring:read', rate: 'exempt' } as const

/** Something is wrong with Pulse itself. */
export const Trouble = z.object({
  id: z.string(),
  message: z.string(),
  /** ISO 8601 */
  since: z.string(),
  /** how often it happened since Pulse was started */
  count: z.number(),
  /** false: over by now */
  current: z.boolean(),
})
export type Trouble = z.infer<typeof Trouble>

export const Health = z.object({
  /** degraded: it monitors, but something of it is out of order */
  status: z.enum(['healthy', 'degraded']),
  /** what, for administrators only */
  troubles: z.optional(z.array(Trouble)),
  /** epoch seconds */
  timestamp: z.number(),
  /** seconds */
  uptime: z.number(),
  legacySSHDetected: z.optional(z.boolean()),
  recommendProxyUpgrade: z.optional(z.boolean()),
  /** kept for older clients, as the two before: nothing of it is part of this product, so they are always false */
  proxyInstallScriptAvailable: z.optional(z.boolean()),
  devModeSSH: z.optional(z.boolean()),
})
export type Health = z.infer<typeof Health>

export const VersionInfo = z.object({
  /** without a leading v */
  version: z.string(),
  build: z.string(),
  buildTime: z.optional(z.string()),
  /** kept for older clients: always empty */
  goVersion: z.string(),
  runtime: z.string(),
  channel: z.enum(['stable', 'rc']),
  isDocker: z.boolean(),
  isSourceBuild: z.boolean(),
  isDevelopment: z.boolean(),
  deploymentType: z.enum(['docker', 'source', 'proxmoxve', 'systemd', 'manual', 'development']),
  updateAvailable: z.boolean(),
  latestVersion: z.optional(z.string()),
  containerized: z.boolean(),
})
export type VersionInfo = z.infer<typeof VersionInfo>

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  access: 'public',
  rate: 'exempt',
  reply: Health,
})

export const getVersion = endpoint({
  method: 'GET',
  path: '/api/version',
  access: 'public',
  rate: 'public',
  reply: VersionInfo,
})

export const getState = endpoint({ ...reader, path: '/api/state', reply: PlainState })

/** What watching a source costs its API. */
export const Calls = z.object({
  /** API calls of the last minute, lists and metrics */
  listCallsPerMinute: z.number(),
  /** guest probes of the last minute */
  probeCallsPerMinute: z.number(),
  /** slow looks of the last minute: snapshots, disks and pools, which have no share of a minute */
  slowCallsPerMinute: z.number(),
  /** calls put off because the budget was used up, since start */
  deferredCalls: z.number(),
})

export const CallBudget = z.object({
  /** how many may go out in any minute */
  budget: z.object({ listCallsPerMinute: z.number(), probeCallsPerMinute: z.number() }),
  /** what makes up that budget, where it has parts: each part's calls of the last minute, and its share */
  parts: z.array(z.object({ part: z.string(), callsPerMinute: z.number(), budgetPerMinute: z.number() })),
})

export const ConnectionCalls = z.object({
  name: z.string(),
  ...Calls.shape,
  /** the same by node */
  nodes: z.record(z.string(), Calls),
  ...CallBudget.shape,
})
export type ConnectionCalls = z.infer<typeof ConnectionCalls>

/** The state's own block, and what polling costs the watched hosts. */
export const PerformanceReply = z.object({
  ...Performance.shape,
  connections: z.record(z.string(), ConnectionCalls),
  /** the server's own cost */
  process: z.object({
    rssBytes: z.number(),
    /** CPU seconds used since start */
    cpuSeconds: z.number(),
    /** the longest the event loop was busy at a stretch in the last minute, milliseconds */
    loopLongestBlockMs: z.number(),
    /** 99 % of all moments of that minute had to wait no longer, milliseconds */
    loopP99Ms: z.number(),
  }),
})
export type PerformanceReply = z.infer<typeof PerformanceReply>

export const getPerformance = endpoint({
  ...reader,
  path: '/api/performance',
  reply: PerformanceReply,
})
export const getStats = endpoint({ ...reader, path: '/api/stats', reply: PlainStats })
