import type { DockerContainer } from '@pulse/contract'
import { containerName } from '@pulse/domain'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import { type ContainerStatus, containerStatus, isPaused, isRunning } from './container-status.ts'

/** A container as its row shows it. A stopped one has no figures; a paused one shows only its memory. */
interface ContainerFacts {
  container: DockerContainer
  name: string
  status: ContainerStatus
  /** 0-100; undefined while unknown, like the next */
  cpuPercent: number | undefined
  memoryPercent: number | undefined
  memoryBytes: number | undefined
  /** its figures are old */
  stale: boolean
  /** since when, unless its host's head shows it */
  staleSince: number | undefined
  dimmed: boolean
}

/** The facts, with the state of the row. */
export interface ContainerLine extends ContainerFacts {
  id: string
  /** its host, unless a head shows it */
  hostName: string | undefined
  /** its Compose project, unless a head shows it */
  project: string | undefined
  alert: AlertLevel | undefined
  /** the row has details */
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

/** Agents may report used bytes and limit without a percentage. */
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

/** Whether the container has details beyond its row. */
export const hasMore = (container: DockerContainer): boolean =>
  Boolean(container.ports?.length) ||
  Boolean(container.networks?.length) ||
  container.createdAt !== undefined ||
  container.image !== '' ||
  (isRunning(container) && container.startedAt !== undefined)
