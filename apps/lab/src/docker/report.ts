import { dice, mix } from '../random.ts'
import { dayCurve, noise } from '../load/curve.ts'
import type { Container, DockerHost, Port } from './host.ts'
import { lifeOf } from './life.ts'

export interface ReportedContainer {
  id: string
  name: string
  image: string
  createdAt: string
  state: string
  status: string
  health?: string
  cpuPercent?: number
  memoryUsageBytes?: number
  memoryLimitBytes?: number
  memoryPercent?: number
  uptimeSeconds?: number
  restartCount?: number
  exitCode?: number
  startedAt?: string
  finishedAt?: string
  ports?: readonly Port[]
  labels?: Readonly<Record<string, string>>
  networks?: readonly { name: string; ipv4?: string; ipv6?: string }[]
  unreadable?: string
}

/** The body of a report. Fields of only one of the two agents are optional. */
export interface Report {
  agent: { id: string; version: string; intervalSeconds: number }
  host: {
    hostname: string
    name: string
    machineId: string
    os: string
    kernelVersion: string
    architecture: string
    dockerVersion: string
    engine?: string
    totalCpu: number
    totalMemoryBytes: number
    uptimeSeconds: number
  }
  containers: ReportedContainer[]
  timestamp: string
}

export interface ReportPlan {
  version: string
  intervalSeconds: number
  atMs: number
}

/** The report of a host: a pure function of host, pins and time. */
export function reportOf(host: DockerHost, { version, intervalSeconds, atMs }: ReportPlan): Report {
  const { agentKind, pins } = host
  const { agentId, machineId } = pins.identityOf ?? host
  const skewMs = 1000 * (pins.clockSkewSeconds ?? 0)
  return {
    agent: { id: agentId, version, intervalSeconds },
    host: {
      hostname: host.name,
      name: host.name,
      machineId,
      os: host.os,
      kernelVersion: host.kernelVersion,
      architecture: host.architecture,
      dockerVersion: host.dockerVersion,
      ...(agentKind === 'own' && { engine: 'docker' }),
      totalCpu: host.cpus,
      totalMemoryBytes: host.memoryBytes,
      uptimeSeconds: Math.floor((atMs - host.bootedAtMs) / 1000),
    },
    containers: containersOf(host).flatMap((container) => reported(host, container, atMs, skewMs)),
    timestamp: goTime(atMs + skewMs, host.seed),
  }
}

/** Adds copies with other names. */
export function containersOf({ containers, pins }: DockerHost): readonly Container[] {
  if (pins.emptyReports) return []
  const { containerCount } = pins
  if (containerCount === undefined || containers.length === 0) return containers
  return Array.from({ length: containerCount }, (_, n) => {
    const container = containers[n % containers.length]!
    if (n < containers.length) return container
    const seed = mix(container.seed, n)
    return { ...container, id: dice(seed).hex(64), name: `${container.name}-copy${n}`, seed }
  })
}

/** The v4 agent omits unanswered data; ours marks it as unreadable. Times follow the host's clock. */
function reported(host: DockerHost, container: Container, atMs: number, skewMs: number): ReportedContainer[] {
  const isOwn = host.agentKind === 'own'
  const { pins } = container
  if (pins.hangs && !isOwn) return []
  const life = lifeOf(container, atMs)
  const isUp = life.isRunning || life.state === 'paused'
  const { startedAtMs, finishedAtMs } = life
  const labels = pins.labels ?? container.labels
  const createdAtMs = container.createdAtMs + skewMs
  const known = {
    id: container.id,
    name: container.name,
    image: container.image,
    createdAt: isOwn ? zonedTime(createdAtMs, 0) : zonedTime(createdAtMs, host.zoneMinutes),
    state: life.state,
    status: life.status,
  }
  const rest = {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(container.ports.length > 0 && { ports: container.ports }),
    networks: isOwn ? container.networks : container.networks.map((network) => ({ ...network, ipv6: '' })),
  }
  if (pins.hangs) return [{ ...known, ...rest, unreadable: 'stats did not answer within 5 s' }]
  return [
    {
      ...known,
      ...(life.health && { health: life.health }),
      ...figuresOf(host, container, atMs, life.isRunning, isUp),
      uptimeSeconds: isUp && startedAtMs !== undefined ? Math.floor((atMs - startedAtMs) / 1000) : 0,
      restartCount: life.restartCount,
      exitCode: life.exitCode,
      ...(startedAtMs !== undefined && { startedAt: goTime(startedAtMs + skewMs, container.seed) }),
      ...(finishedAtMs !== undefined && { finishedAt: goTime(finishedAtMs + skewMs, container.seed ^ 1) }),
      ...rest,
    },
  ]
}

function figuresOf(host: DockerHost, container: Container, atMs: number, isRunning: boolean, isUp: boolean) {
  if (!isUp) return { cpuPercent: 0, memoryUsageBytes: 0, memoryLimitBytes: 0, memoryPercent: 0 }
  const { seed, cpuCores, memoryBytes, memoryLimitBytes = host.memoryBytes, pins } = container
  const busy = 100 * cpuCores * dayCurve(atMs, seed % 7) * (0.6 + 0.8 * noise(seed, atMs))
  const cpuPercent = isRunning ? (pins.cpuPercent ?? Math.min(busy, 100 * host.cpus)) : 0
  const held = memoryBytes * (0.9 + 0.1 * noise(seed ^ 5, atMs))
  const memoryUsageBytes = Math.min(pins.memoryUsageBytes ?? Math.floor(held), memoryLimitBytes)
  return {
    cpuPercent,
    memoryUsageBytes,
    memoryLimitBytes,
    memoryPercent: (memoryUsageBytes / memoryLimitBytes) * 100,
  }
}

/** Nanoseconds without trailing zeros, as Go programs write them. */
function goTime(atMs: number, seed: number): string {
  const [seconds, milliseconds] = new Date(atMs).toISOString().slice(0, -1).split('.') as [string, string]
  const below = String(mix(seed, Math.floor(atMs)) % 1_000_000).padStart(6, '0')
  const fraction = `${milliseconds}${below}`.replace(/0+$/, '')
  return `${seconds}${fraction && `.${fraction}`}Z`
}

/** Local time, to the second. */
function zonedTime(atMs: number, zoneMinutes: number): string {
  const wall = new Date(atMs + zoneMinutes * 60_000).toISOString().slice(0, 19)
  if (zoneMinutes === 0) return `${wall}Z`
  const minutes = Math.abs(zoneMinutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${wall}${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
