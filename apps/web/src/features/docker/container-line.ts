import type { DockerContainer } from '@pulse/contract'
import { containerName } from '@pulse/domain'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import { type ContainerStatus, containerStatus, isPaused, isRunning } from './container-status.ts'

/** A container as its row shows it: what does not run has no figures, what is paused has those of what it holds. */
interface ContainerFacts {
  container: DockerContainer
  name: string
  status: ContainerStatus
  /** 0-100; undefined while unknown, as the next */
  cpuPercent: number | undefined
  memoryPercent: number | undefined
  memoryBytes: number | undefined
  /** its figures are old */
  stale: boolean
  /** since when, unless the host says so */
  staleSince: number | undefined
  dimmed: boolean
}

/** That, and what its row adds to it. */
export interface ContainerLine extends ContainerFacts {
  id: string
  /** of its host, where no head says so */
  hostName: string | undefined
  /** what it belongs to, where no head says so */
  project: string | undefined
  alert: AlertLevel | undefined
  /** there is more to say of it */
  opens: boolean
  expanded: boolean
  indented: boolean
  tabIndex: 0 | -1
}

export function containerFacts(container: DockerContainer, hostOnline: boolean): ContainerFacts {
  const running = isRunning(container)
  const holds = running || isPaused(container)
  const { cpuPercent, memoryUsageBytes, staleSince } = container
  const stale = !hostOnline || staleSince !== undefined
  return {
    container,
    name: containerName(container),
    status: containerStatus(container),
    cpuPercent: running ? clamped(cpuPercent) : undefined,
    memoryPercent: holds ? clamped(memoryPercentOf(container)) : undefined,
    memoryBytes: holds ? memoryUsageBytes : undefined,
    stale,
    staleSince: hostOnline ? staleSince : undefined,
    dimmed: !running || stale,
  }
}

/** An agent that reports no share may report both values of it. */
export function memoryPercentOf({
  memoryPercent,
  memoryUsageBytes,
  memoryLimitBytes,
}: DockerContainer): number | undefined {
  if (memoryPercent !== undefined) return memoryPercent
  if (memoryUsageBytes === undefined || !memoryLimitBytes) return undefined
  return (memoryUsageBytes / Math.max(1, memoryLimitBytes)) * 100
}

const clamped = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : Math.min(100, Math.max(0, percent))

/** There is more to say of it than its row does. */
export const hasMore = (container: DockerContainer): boolean =>
  Boolean(container.ports?.length) ||
  Boolean(container.networks?.length) ||
  container.createdAt !== undefined ||
  container.image !== '' ||
  (isRunning(container) && container.startedAt !== undefined)
