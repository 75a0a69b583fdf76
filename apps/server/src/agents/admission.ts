import { AppError } from '../app-error.ts'
import type { AgentReport, Host, HostFacts } from '../agent-kind.ts'
import type { AgentRemovalRow } from '../db/schema.ts'
import { silenceMs } from './host.ts'
import type { AgentProtocol } from './protocol.ts'

/** The token of a report. */
export interface ReportToken {
  id: string
  name: string
  hint: string
  createdAt: number
  /** it reports for a single host */
  oneHost: boolean
  /** the host that it reports for; undefined before its first report */
  boundHost: { id: string; name: string } | undefined
}

export interface AdmissionContext {
  protocol: Pick<AgentProtocol, 'name' | 'noun' | 'limits'>
  host: Host | undefined
  /** the host reports with an agent of another kind */
  isOtherKind?: boolean
  /** of this host, and still in force */
  removal: AgentRemovalRow | undefined
  token: ReportToken | undefined
  /** the token that enrolled the host is still valid */
  isTokenLive: (id: string) => boolean
  /** number of hosts */
  hosts: number
  /** number of hosts that use this token; without a token, number of hosts that use none */
  hostsOfToken: number
  monotonic: number
}

/** Changes to store before the report counts. */
export interface Admission {
  isNew: boolean
  /** the host uses this token from now on */
  token?: ReportToken
  /** the token is bound to this host from now on */
  binds?: true
  /** a removed host that an administrator wants back */
  unblocks?: true
}

/**
 * Decides whether a report may speak for its host; throws the refusal. A host accepts the token that enrolled
 * it and the tokens that were prepared for it, even after the first one has ended. A host that is known only
 * by name, such as an imported one, accepts the first token. A caller without a token is an administrator.
 */
export function admitReport({ hostId, facts }: AgentReport, known: AdmissionContext): Admission {
  const { host, removal, token, protocol } = known
  const { name, noun, limits } = protocol
  if (token?.oneHost && token.boundHost && token.boundHost.id !== hostId) {
    throw new AppError(
      `${name}_token_mismatch`,
      `This token reports for the host ${token.boundHost.name} and for no other. Make a token for ${facts.displayName} in Settings → ${noun}s.`,
    )
  }
  if (removal && !(token && token.createdAt > removal.removed_at)) throw removedError(removal, protocol)
  if (host) refuseOtherToken(host, known)
  if (host && known.isOtherKind) {
    throw new AppError(
      `${name}_identity_conflict`,
      `${host.facts.hostname} reports under the identity ${host.id} already, with an agent of another kind. Give one of the two an identity of its own: --agent-id.`,
    )
  }
  if (host) refuseOtherMachine(host, facts, known)
  if (!host && known.hosts >= limits.hosts) {
    throw new AppError(
      `${name}_host_limit`,
      `Pulse monitors at most ${limits.hosts} ${noun}s. Remove some in Settings → ${noun}s.`,
    )
  }
  if (!host && known.hostsOfToken >= limits.hostsOfToken) {
    throw new AppError(
      `${name}_host_limit`,
      `${limits.hostsOfToken} ${noun}s at most may report with one token. Make another one for ${facts.displayName} in Settings → ${noun}s.`,
    )
  }
  return {
    isNew: host === undefined,
    ...(token && token.id !== host?.token?.id && { token }),
    ...(token?.oneHost && !token.boundHost && { binds: true }),
    ...(removal && { unblocks: true }),
  }
}

function removedError(
  { name, blocked_until }: AgentRemovalRow,
  protocol: AdmissionContext['protocol'],
): AppError {
  return new AppError(
    `${protocol.name}_host_removed`,
    `${name} was removed from Pulse and may not report until ${new Date(blocked_until).toISOString()}. Stop the agent there; to have the host back, make a new token for it in Settings → ${protocol.noun}s, or allow it there to report again.`,
  )
}

function refuseOtherToken(
  { id, token: own, facts, lastSeenAt }: Host,
  { token, isTokenLive, protocol }: AdmissionContext,
): void {
  if (!token || own?.id === token.id || token.boundHost?.id === id) return
  const name = facts.displayName
  const remedy = 'prepare a new token for this host in Settings → Diagnostics'
  const mismatch = (text: string) => new AppError(`${protocol.name}_token_mismatch`, text)
  if (own && isTokenLive(own.id)) {
    throw mismatch(
      `${name} reports with the token "${own.name}" (${own.hint}), and this is another one. Use that token, or ${remedy}.`,
    )
  }
  if (own) {
    throw mismatch(
      `${name} reported with the token "${own.name}" (${own.hint}), which has ended, and this is another one. To go on, ${remedy}.`,
    )
  }
  if (lastSeenAt !== undefined) {
    throw mismatch(`${name} has reported without a token, as an administrator. To go on with one, ${remedy}.`)
  }
}

const isSameMachine = (a: HostFacts, b: HostFacts) => a.hostname === b.hostname && a.machineId === b.machineId

/**
 * A host reports for one machine at a time. A renamed machine is admitted once its old name has stopped
 * reporting.
 */
function refuseOtherMachine(
  { facts: own, reportedAt, id }: Host,
  facts: HostFacts,
  { monotonic, protocol }: AdmissionContext,
): void {
  if (reportedAt === undefined || monotonic - reportedAt > silenceMs(own) || isSameMachine(own, facts)) return
  throw new AppError(
    `${protocol.name}_identity_conflict`,
    `${own.hostname} reports under the identity ${id} already. If ${facts.hostname} is another machine, give it an identity of its own: --agent-id, or a new /etc/machine-id. If it is the same machine with a new name, it is accepted after the old name has not reported for ${Math.round(silenceMs(own) / 1000)} s.`,
  )
}
