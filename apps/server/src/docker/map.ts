import type { DockerContainer, DockerHost } from '@pulse/contract'
import { containerUse } from '@pulse/domain'
import type { ReadContainer, ReadReport } from './read-report.ts'

const MINUTE_MS = 60_000

/** The input of a host's container records: its ids, its clock and the earlier records. */
export interface ContainerHost {
  /** source of its records */
  key: string
  id: string
  clockAheadMinutes: number
  containers: ReadonlyMap<string, DockerContainer>
}

/** Variation between two reports of a time that is computed from a duration. */
const jitterMs = 10_000

/**
 * Whole minutes by which a host's clock is ahead of the server's. The value is kept while it is off by at
 * most a minute; otherwise dates would flip between two values.
 */
export function clockAhead({ sentAt }: Pick<ReadReport, 'sentAt'>, before: number, nowMs: number): number {
  if (sentAt === undefined) return 0
  const aheadMs = sentAt - nowMs
  if (Math.abs(aheadMs) < MINUTE_MS) return 0
  return Math.abs(aheadMs - before * MINUTE_MS) < MINUTE_MS ? before : Math.round(aheadMs / MINUTE_MS)
}

/**
 * Start time computed from a duration. Keeps the known time while the computed one differs by less than the
 * jitter.
 */
export function startOf(lastedSeconds: number | undefined, before: number | undefined, nowMs: number) {
  if (lastedSeconds === undefined) return undefined
  const at = nowMs - lastedSeconds * 1000
  return before !== undefined && Math.abs(at - before) < jitterMs ? before : at
}

/** A report's containers as records, with times by the server's clock. */
export function toContainers(
  { containers }: Pick<ReadReport, 'containers'>,
  host: ContainerHost,
  nowMs: number,
): Map<string, DockerContainer> {
  const ahead = host.clockAheadMinutes * MINUTE_MS
  const here = (at: number | undefined) => (at === undefined ? undefined : Math.min(nowMs, at - ahead))
  const records = new Map<string, DockerContainer>()
  for (const container of containers.values()) {
    const id = `${host.key}:${container.name}`
    records.set(id, toContainer(container, host, host.containers.get(id), here, nowMs))
  }
  return records
}

function toContainer(
  { uptimeSeconds, createdAt, startedAt, finishedAt, ...container }: ReadContainer,
  host: Pick<ContainerHost, 'key' | 'id'>,
  before: DockerContainer | undefined,
  here: (at: number | undefined) => number | undefined,
  nowMs: number,
): DockerContainer {
  const isRunning = container.state === 'running'
  const created = here(createdAt)
  const started =
    here(startedAt) ?? (isRunning ? startOf(uptimeSeconds, before?.startedAt, nowMs) : undefined)
  const finished = isRunning ? undefined : here(finishedAt)
  return {
    ...container,
    host: host.id,
    source: host.key,
    ...(created !== undefined && { createdAt: created }),
    ...(started !== undefined && { startedAt: started }),
    ...(finished !== undefined && { finishedAt: finished }),
  }
}

/** Use of a host by its containers. Empty until the first report with containers. */
export function sumContainers(
  containers: ReadonlyMap<string, DockerContainer>,
): Pick<DockerHost, 'cpuPercent' | 'usedMemoryBytes' | 'runningContainers'> {
  if (containers.size === 0) return {}
  const { cpuPercent, memoryBytes, running } = containerUse(containers.values())
  return {
    ...(cpuPercent !== undefined && { cpuPercent }),
    usedMemoryBytes: memoryBytes,
    runningContainers: running,
  }
}
