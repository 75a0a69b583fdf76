import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Performance, PlainStats } from '../entities/meta.ts'
import { PlainState } from '../plain.ts'

const reader = { method: 'GET', access: 'user', scope: 'monitoring:read', rate: 'exempt' } as const

/** A problem of Pulse itself. */
export const Trouble = z.object({
  id: z.string(),
  message: z.string(),
  /** ISO 8601 */
  since: z.string(),
  /** occurrences since the start of Pulse */
  count: z.number(),
  /** false: already over */
  current: z.boolean(),
})
export type Trouble = z.infer<typeof Trouble>

export const Health = z.object({
  /** degraded: monitoring works, but with problems */
  status: z.enum(['healthy', 'degraded']),
  /** the problems; for administrators only */
  troubles: z.optional(z.array(Trouble)),
  /** epoch seconds */
  timestamp: z.number(),
  /** seconds */
  uptime: z.number(),
  legacySSHDetected: z.optional(z.boolean()),
  recommendProxyUpgrade: z.optional(z.boolean()),
  /** kept for older clients, like the two before: always false, because this product lacks these features */
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

/** What one of several processes does; a single process does everything. */
export const ProcessRole = z.enum(['collect', 'judge', 'serve'])
export type ProcessRole = z.infer<typeof ProcessRole>

export const Readiness = z.object({
  ready: z.boolean(),
  roles: z.array(ProcessRole),
  /** Of several processes, one leads: alerts, notifications and reports of agents. */
  leads: z.boolean(),
})
export type Readiness = z.infer<typeof Readiness>

/** For load balancers and supervisors: status 503 while this process should get no calls. */
export const getReadiness = endpoint({
  method: 'GET',
  path: '/api/health/ready',
  access: 'public',
  rate: 'exempt',
  reply: Readiness,
})

export const getVersion = endpoint({
  method: 'GET',
  path: '/api/version',
  access: 'public',
  rate: 'public',
  reply: VersionInfo,
})

export const getState = endpoint({ ...reader, path: '/api/state', reply: PlainState })

/** The API load of a monitored source. */
export const Calls = z.object({
  /** list and metrics calls in the last minute */
  listCallsPerMinute: z.number(),
  /** guest probes in the last minute */
  probeCallsPerMinute: z.number(),
  /** slow calls in the last minute: snapshots, disks and pools; outside the budget per minute */
  slowCallsPerMinute: z.number(),
  /** calls deferred by the used-up budget, since start */
  deferredCalls: z.number(),
})

export const CallBudget = z.object({
  /** maximum calls in any minute */
  budget: z.object({ listCallsPerMinute: z.number(), probeCallsPerMinute: z.number() }),
  /** the parts of that budget, if it has any: calls in the last minute, and the share of each */
  parts: z.array(z.object({ part: z.string(), callsPerMinute: z.number(), budgetPerMinute: z.number() })),
})

export const ConnectionCalls = z.object({
  name: z.string(),
  ...Calls.shape,
  /** the same per node */
  nodes: z.record(z.string(), Calls),
  ...CallBudget.shape,
})
export type ConnectionCalls = z.infer<typeof ConnectionCalls>

/** The performance block of the state, and the load on monitored hosts. */
export const PerformanceReply = z.object({
  ...Performance.shape,
  connections: z.record(z.string(), ConnectionCalls),
  /** resource use of the server */
  process: z.object({
    rssBytes: z.number(),
    /** CPU seconds used since start */
    cpuSeconds: z.number(),
    /** longest block of the event loop in the last minute, ms */
    loopLongestBlockMs: z.number(),
    /** 99th percentile of the event loop delay in the last minute, ms */
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
