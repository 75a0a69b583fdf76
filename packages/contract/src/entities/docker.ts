import * as z from 'zod/mini'
import { Bytes, EpochMs, fromSource } from './common.ts'

export const DockerCommand = z.object({
  id: z.string(),
  type: z.literal('stop'),
  status: z.enum(['queued', 'dispatched', 'acknowledged', 'completed', 'failed', 'expired']),
  message: z.optional(z.string()),
  createdAt: EpochMs,
  updatedAt: EpochMs,
  dispatchedAt: z.optional(EpochMs),
  acknowledgedAt: z.optional(EpochMs),
  completedAt: z.optional(EpochMs),
  failedAt: z.optional(EpochMs),
  failureReason: z.optional(z.string()),
  expiresAt: z.optional(EpochMs),
})
export type DockerCommand = z.infer<typeof DockerCommand>

/** Parts of a report that were cut or omitted because they were too long. */
export const ReportCut = z.enum(['containers', 'texts', 'labels', 'ports', 'networks'])
export type ReportCut = z.infer<typeof ReportCut>

export const DockerHost = z.object({
  id: z.string(),
  agentId: z.string(),
  hostname: z.string(),
  displayName: z.string(),
  machineId: z.optional(z.string()),
  os: z.optional(z.string()),
  kernelVersion: z.optional(z.string()),
  architecture: z.optional(z.string()),
  dockerVersion: z.optional(z.string()),
  /** docker or podman, if the agent reports it */
  engine: z.optional(z.string()),
  cpus: z.number(),
  totalMemoryBytes: Bytes,
  /** sum over its running containers, at most 100; absent until one reports it */
  cpuPercent: z.optional(z.number()),
  /** sum over its containers */
  usedMemoryBytes: z.optional(Bytes),
  runningContainers: z.optional(z.number()),
  startedAt: z.optional(EpochMs),
  status: z.enum(['online', 'offline']),
  intervalSeconds: z.number(),
  agentVersion: z.optional(z.string()),
  tokenId: z.optional(z.string()),
  tokenName: z.optional(z.string()),
  tokenHint: z.optional(z.string()),
  tokenLastUsedAt: z.optional(EpochMs),
  pendingUninstall: z.boolean(),
  hidden: z.boolean(),
  command: z.optional(DockerCommand),
  /** another machine reports under the same identity; its reports are refused while this host is connected */
  conflict: z.optional(z.object({ hostname: z.string(), since: EpochMs, lastAt: EpochMs })),
  /** whole minutes that its clock is ahead of the server's; absent below one */
  clockAheadMinutes: z.optional(z.number()),
  cut: z.optional(z.array(ReportCut)),
  ...fromSource,
})
export type DockerHost = z.infer<typeof DockerHost>

export const DockerContainer = z.object({
  id: z.string(),
  /** id of the host it runs on */
  host: z.string(),
  name: z.string(),
  image: z.string(),
  state: z.string(),
  status: z.string(),
  health: z.optional(z.string()),
  /** percent of one core, summed over cores; absent while unknown, like the next three */
  cpuPercent: z.optional(z.number()),
  memoryPercent: z.optional(z.number()),
  memoryUsageBytes: z.optional(Bytes),
  memoryLimitBytes: z.optional(Bytes),
  restartCount: z.number(),
  exitCode: z.number(),
  /** the kernel killed the last run because memory ran out */
  oomKilled: z.optional(z.boolean()),
  createdAt: z.optional(EpochMs),
  /** start of the current or last run */
  startedAt: z.optional(EpochMs),
  finishedAt: z.optional(EpochMs),
  labels: z.optional(z.record(z.string(), z.string())),
  ports: z.optional(
    z.array(
      z.object({
        privatePort: z.number(),
        publicPort: z.optional(z.number()),
        protocol: z.string(),
        ip: z.optional(z.string()),
      }),
    ),
  ),
  networks: z.optional(
    z.array(z.object({ name: z.string(), ipv4: z.optional(z.string()), ipv6: z.optional(z.string()) })),
  ),
  /** why its figures are missing */
  unreadable: z.optional(z.string()),
  ...fromSource,
})
export type DockerContainer = z.infer<typeof DockerContainer>
