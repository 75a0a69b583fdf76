/** Whose agent reports: that of this product, or that of the older one, whose wire format is v4.25. */
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
  /** absent when it is not published */
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
  /** when that began */
  sinceMs: number
  createdAtMs: number
  startedAtMs: number
  hasHealthCheck: boolean
  /** of one core, on average */
  cpuCores: number
  memoryBytes: number
  /** that of the host when absent */
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
  /** of the engine */
  agentId: string
  machineId: string
  os: string
  kernelVersion: string
  architecture: string
  dockerVersion: string
  cpus: number
  memoryBytes: number
  bootedAtMs: number
  /** east of Greenwich: the original agent writes some times by the clock on the wall */
  zoneMinutes: number
  containers: readonly Container[]
  pins: HostPins
}

export interface HostPins {
  /** It was switched off. */
  offline?: true
  clockSkewSeconds?: number
  /** It was cloned from that host, and has its engine and machine ids. */
  identityOf?: DockerHost
  /** So many instead of its own. */
  containerCount?: number
  /** The number of next reports without any container. */
  emptyReports?: number
  /** The reaction to a stop command; absent: it stops. */
  stop?: 'fails' | 'ignored'
}
