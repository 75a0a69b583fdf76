import type { DockerCommand, DockerContainer, DockerHost, ReportCut } from '@pulse/contract'
import type { HostFacts } from '../docker/read-report.ts'

/** The token that a host reports with. */
export interface HostToken {
  id: string
  name: string
  hint: string
}

/** A host that an agent reports for, as this process knows it. Moments are those of the monotonic clock. */
export interface Host {
  /** the source of its records: neither a name nor an agent can change it */
  readonly key: string
  /** what the agent calls it, on the wire too */
  readonly id: string
  readonly enrolledAt: number
  facts: HostFacts
  token: HostToken | undefined
  hidden: boolean
  pendingUninstall: boolean
  pendingSince: number
  command: DockerCommand | undefined
  /** when the command expires */
  commandEndsAt: number
  isOnline: boolean
  /** of its last report; undefined since this process began */
  reportedAt: number | undefined
  /** the same as people see it, kept over restarts */
  lastSeenAt: number | undefined
  /** epoch ms, by the clock of the server */
  startedAt: number | undefined
  clockAheadMinutes: number
  conflict: NonNullable<DockerHost['conflict']> | undefined
  conflictAt: number
  cut: readonly ReportCut[]
  /** by id of the record */
  containers: ReadonlyMap<string, DockerContainer>
  /** of what is kept of its last report, as it is written out */
  bytes: number
}

export const sourceNameOf = ({ id }: Pick<Host, 'id'>): string => `docker-${id}`

/** How long a host may be silent: four of its intervals, between half a minute and ten. */
export const silenceMs = ({ intervalSeconds }: Pick<HostFacts, 'intervalSeconds'>): number =>
  Math.min(600_000, Math.max(30_000, intervalSeconds * 4_000))

export function toHostRecord(host: Host): DockerHost {
  const { facts, token, command, conflict, startedAt, clockAheadMinutes, cut } = host
  return {
    id: host.id,
    agentId: host.id,
    ...facts,
    ...(startedAt !== undefined && { startedAt }),
    status: host.isOnline ? 'online' : 'offline',
    ...(token && { tokenId: token.id, tokenName: token.name, tokenHint: token.hint }),
    pendingUninstall: host.pendingUninstall,
    hidden: host.hidden,
    ...(command && { command }),
    ...(conflict && { conflict }),
    ...(clockAheadMinutes !== 0 && { clockAheadMinutes }),
    ...(cut.length > 0 && { cut: [...cut] }),
    source: host.key,
    ...staleness(host),
  }
}

/** Set while nothing comes from it: when what is shown was last right. */
export const staleness = ({ isOnline, lastSeenAt }: Host): { staleSince?: number } =>
  isOnline || lastSeenAt === undefined ? {} : { staleSince: lastSeenAt }
