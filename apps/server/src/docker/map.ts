import type { DockerContainer } from '@pulse/contract'
import type { ReadContainer, ReadReport } from './read-report.ts'

const MINUTE_MS = 60_000

/** What the records of a host's containers follow: its ids, its clock, and the records before. */
export interface ContainerHost {
  /** source of its records */
  key: string
  id: string
  clockAheadMinutes: number
  containers: ReadonlyMap<string, DockerContainer>
}

/** A moment that is worked out anew at every report moves by less than this without having changed. */
const steadyMs = 10_000

/**
 * By how many whole minutes the clock of a host is ahead of the server's. It stays while it is about right, so that
 * what is a little more than half a minute off does not move every date to and fro.
 */
export function clockAhead({ sentAt }: Pick<ReadReport, 'sentAt'>, before: number, nowMs: number): number {
  if (sentAt === undefined) return 0
  const aheadMs = sentAt - nowMs
  if (Math.abs(aheadMs) < MINUTE_MS) return 0
  return Math.abs(aheadMs - before * MINUTE_MS) < MINUTE_MS ? before : Math.round(aheadMs / MINUTE_MS)
}

/** When something began that has lasted that long; the moment known before, while it is still that one. */
export function begun(lastedSeconds: number | undefined, before: number | undefined, nowMs: number) {
  if (lastedSeconds === undefined) return undefined
  const at = nowMs - lastedSeconds * 1000
  return before !== undefined && Math.abs(at - before) < steadyMs ? before : at
}

/** The containers of a report as records, dated by the clock of the server. */
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
  const started = here(startedAt) ?? (isRunning ? begun(uptimeSeconds, before?.startedAt, nowMs) : undefined)
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
