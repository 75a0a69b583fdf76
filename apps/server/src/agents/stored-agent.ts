import { DockerCommand } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { DockerHostRow } from '../db/schema.ts'
import { commandLifeMs, isActive } from './commands.ts'
import type { Host, HostToken } from './agent.ts'
import type { HostFacts, ReadReport } from '../docker/read-report.ts'

/** A host that was not known, as its first report has it. */
export function newHost(
  key: string,
  { hostId, facts }: Pick<ReadReport, 'hostId' | 'facts'>,
  token: HostToken | undefined,
  nowMs: number,
): Host {
  return {
    key,
    id: hostId,
    enrolledAt: nowMs,
    facts,
    token,
    hidden: false,
    pendingUninstall: false,
    pendingSince: 0,
    command: undefined,
    commandEndsAt: 0,
    isOnline: false,
    reportedAt: undefined,
    lastSeenAt: undefined,
    startedAt: undefined,
    clockAheadMinutes: 0,
    conflict: undefined,
    conflictAt: 0,
    cut: [],
    containers: new Map(),
    bytes: 0,
  }
}

/** After a start nobody has reported yet: it is there, and offline. */
export function fromRow(row: DockerHostRow, clock: Clock): Host {
  const { token_id: id, token_name: name, token_hint: hint } = row
  const token = id === null ? undefined : { id, name: name ?? '', hint: hint ?? '' }
  const facts = JSON.parse(row.facts) as HostFacts
  const command = row.command === null ? undefined : DockerCommand.parse(JSON.parse(row.command))
  const leftMs = isActive(command) ? (command.expiresAt ?? 0) - clock.now() : 0
  return {
    ...newHost(row.id, { hostId: row.host_id, facts }, token, row.enrolled_at),
    hidden: row.hidden === 1,
    pendingUninstall: row.pending_uninstall === 1,
    pendingSince: clock.monotonic(),
    command,
    // the wall clock may have been set meanwhile: nothing lives longer than it may
    commandEndsAt: clock.monotonic() + Math.min(commandLifeMs, Math.max(0, leftMs)),
    lastSeenAt: row.last_seen_at ?? undefined,
  }
}

export const toRow = (host: Host): DockerHostRow => ({
  id: host.key,
  host_id: host.id,
  facts: JSON.stringify(host.facts),
  token_id: host.token?.id ?? null,
  token_name: host.token?.name ?? null,
  token_hint: host.token?.hint ?? null,
  hidden: host.hidden ? 1 : 0,
  pending_uninstall: host.pendingUninstall ? 1 : 0,
  command: host.command ? JSON.stringify(host.command) : null,
  enrolled_at: host.enrolledAt,
  last_seen_at: host.lastSeenAt ?? null,
})
