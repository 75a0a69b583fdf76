/** The product of the agent: `own` is ours, `original` the older one with the wire format of v4.25. */
export type AgentKind = 'own' | 'original'

/** The course of a container. */
export const fates = [
  'runs',
  'starting',
  'unhealthy',
  'flapping',
  'restarting',
  'paused',
  'exited',
  'failed',
  'oom-killed',
  'created',
  'dead',
] as const
export type Fate = (typeof fates)[number]

export interface Port {
  privatePort: number
  /** absent if the port is not published */
  publicPort?: number
  protocol: string
  ip?: string
}

export interface Container {
  id: string
  name: string
  seed: number
  image: string
  fate: Fate
  /** the time at which that began */
  sinceMs: number
  createdAtMs: number
  startedAtMs: number
  hasHealthCheck: boolean
  /** of one core, on average */
  cpuCores: number
  memoryBytes: number
  /** undefined: the host's limit */
  memoryLimitBytes: number | undefined
  labels: Readonly<Record<string, string>>
  ports: readonly Port[]
  networks: readonly { name: string; ipv4: string }[]
  pins: ContainerPins
}

/** Values that replace the drawn ones. */
export interface ContainerPins {
  fate?: Fate
  sinceMs?: number
  cpuPercent?: number
  memoryUsageBytes?: number
  labels?: Readonly<Record<string, string>>
  /** The engine never answers requests about it. */
  hangs?: true
}

export interface DockerHost {
  name: string
  seed: number
  agentKind: AgentKind
  /** id of the engine */
  agentId: string
  machineId: string
  os: string
  kernelVersion: string
  architecture: string
  dockerVersion: string
  cpus: number
  memoryBytes: number
  bootedAtMs: number
  /** minutes east of UTC: the original agent writes some times as local time */
  zoneMinutes: number
  containers: readonly Container[]
  pins: HostPins
}

export interface HostPins {
  /** The host is switched off. */
  offline?: true
  clockSkewSeconds?: number
  /** The host that this one was cloned from; both have the same engine and machine ids. */
  identityOf?: DockerHost
  /** Replaces the number of its containers. */
  containerCount?: number
  /** The number of next reports that contain no container. */
  emptyReports?: number
  /** The reaction to a stop command; absent: it stops. */
  stop?: 'fails' | 'ignored'
}
