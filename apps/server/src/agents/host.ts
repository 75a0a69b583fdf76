import { DockerCommand } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { type AgentReport, type Host, type HostFacts, type HostToken, isShownOnline } from '../agent-kind.ts'
import type { AgentHostRow } from '../db/schema.ts'
import { commandLifeMs, isActive } from './commands.ts'

/** How long a host may be silent: four of its intervals, at least half a minute and at most ten. */
export const silenceMs = ({ intervalSeconds }: Pick<HostFacts, 'intervalSeconds'>): number =>
  Math.min(600_000, Math.max(30_000, intervalSeconds * 4_000))

/** A report may have been on its way for so long; a clock that was set back by more is believed. */
const lateMs = 60_000

/** Whether a report was sent before one that has arrived. */
export const isLate = ({ sentAt: newest }: Pick<Host, 'sentAt'>, { sentAt }: AgentReport): boolean =>
  newest !== undefined && sentAt !== undefined && sentAt < newest && newest - sentAt <= lateMs

/** A new host from its first report. */
export const newHost = (
  key: string,
  { hostId, facts }: AgentReport,
  token: HostToken | undefined,
  nowMs: number,
  kept?: unknown,
): Host => ({
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
  wasOnline: false,
  awaitedSince: undefined,
  reportedAt: undefined,
  sentAt: undefined,
  lastSeenAt: undefined,
  conflict: undefined,
  conflictAt: 0,
  kept,
  cut: [],
  bytes: 0,
  clockAheadMinutes: 0,
})

/** A stored host is as it was, until it reports or has had time to. */
export function fromRow(row: AgentHostRow, clock: Clock, kept: unknown): Host {
  const { token_id: id, token_name: name, token_hint: hint } = row
  const token = id === null ? undefined : { id, name: name ?? '', hint: hint ?? '' }
  const facts = JSON.parse(row.facts) as HostFacts
  const command = row.command === null ? undefined : DockerCommand.parse(JSON.parse(row.command))
  const leftMs = isActive(command) ? (command.expiresAt ?? 0) - clock.now() : 0
  return {
    ...newHost(row.id, { hostId: row.host_id, facts }, token, row.enrolled_at, kept),
    wasOnline: row.online === 1,
    awaitedSince: clock.monotonic(),
    hidden: row.hidden === 1,
    pendingUninstall: row.pending_uninstall === 1,
    pendingSince: clock.monotonic(),
    command,
    // The wall clock may have been set in the meantime.
    commandEndsAt: clock.monotonic() + Math.min(commandLifeMs, Math.max(0, leftMs)),
    lastSeenAt: row.last_seen_at ?? undefined,
  }
}

export const toRow = (host: Host): AgentHostRow => ({
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
  online: isShownOnline(host) ? 1 : 0,
})
