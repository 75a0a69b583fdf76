import * as z from 'zod/mini'

const text = z.exactOptional(z.string())
const number = z.exactOptional(z.number())

/** A container as an agent reports it. Empty fields may be omitted; unknown ones must be. */
export const ReportedContainer = z.object({
  id: z.string(),
  name: z.string(),
  image: text,
  /** RFC 3339, like the other times */
  createdAt: text,
  state: text,
  status: text,
  health: text,
  /** percent of one core, summed over cores */
  cpuPercent: number,
  memoryUsageBytes: number,
  memoryLimitBytes: number,
  memoryPercent: number,
  uptimeSeconds: number,
  restartCount: number,
  exitCode: number,
  startedAt: text,
  finishedAt: text,
  ports: z.exactOptional(
    z.array(z.object({ privatePort: z.number(), publicPort: number, protocol: text, ip: text })),
  ),
  labels: z.exactOptional(z.record(z.string(), z.string())),
  networks: z.exactOptional(z.array(z.object({ name: z.string(), ipv4: text, ipv6: text }))),
  /** Only our agent sends it, and only when true: the kernel killed the last run because memory ran out. */
  oomKilled: z.exactOptional(z.boolean()),
  /** Only our agent sends it: names what it could not read this time; those figures are omitted. */
  unreadable: text,
})
export type ReportedContainer = z.infer<typeof ReportedContainer>

/** The body of a report as v4.25 agents send it; unknown fields are ignored. */
export const DockerReport = z.object({
  agent: z.object({ id: text, version: text, intervalSeconds: number }),
  host: z.object({
    hostname: z.string(),
    /** the engine's name for the host */
    name: text,
    machineId: text,
    os: text,
    kernelVersion: text,
    architecture: text,
    dockerVersion: text,
    /** Only our agent sends it: `docker` or `podman`. */
    engine: text,
    totalCpu: number,
    totalMemoryBytes: number,
    uptimeSeconds: number,
  }),
  containers: z.array(ReportedContainer),
  timestamp: text,
})
export type DockerReport = z.infer<typeof DockerReport>

/** An agent's answer to a command. */
export const DockerCommandReport = z.object({
  hostId: text,
  /** `acknowledged`, `completed` or `failed` */
  status: z.string(),
  message: text,
})
