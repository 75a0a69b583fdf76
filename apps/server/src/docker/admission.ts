import { AppError } from '../app-error.ts'
import type { DockerRemovalRow } from '../db/schema.ts'
import { type Host, silenceMs } from './host.ts'
import type { HostFacts, ReadReport } from './read-report.ts'

/** The token that a report came with. */
export interface ReportToken {
  id: string
  name: string
  hint: string
  createdAt: number
  /** it reports for one host alone */
  oneHost: boolean
  /** that host */
  boundHost: { id: string; name: string } | undefined
}

export interface Known {
  host: Host | undefined
  /** of this host, and still in force */
  removal: DockerRemovalRow | undefined
  token: ReportToken | undefined
  /** the token that enrolled the host is still valid */
  isTokenLive: (id: string) => boolean
  /** how many hosts there are */
  hosts: number
  /** and how many of them report with this token, or without one */
  hostsOfToken: number
  monotonic: number
}

export const mostHosts = 1_000
/** Whoever has got hold of one token leaves room for the hosts of others. */
export const mostHostsOfToken = 500

/** What has to be stored before the report counts. */
export interface Admission {
  isNew: boolean
  /** the host reports with this token from now on */
  token?: ReportToken
  /** the token reports for this host from now on */
  binds?: true
  /** it was removed, and is back on purpose */
  unblocks?: true
}

/**
 * Whether a report may speak for its host; throws the refusal. A host listens to the token that enrolled it and to those
 * that were prepared for it, whether or not that one has ended. One of which only the name is known, as from an import,
 * listens to the first that reports. Whoever reports without a token is an administrator.
 */
export function admitReport(
  { hostId, facts }: Pick<ReadReport, 'hostId' | 'facts'>,
  known: Known,
): Admission {
  const { host, removal, token } = known
  if (token?.oneHost && token.boundHost && token.boundHost.id !== hostId) {
    throw new AppError(
      'docker_token_mismatch',
      `This token reports for the host ${token.boundHost.name} and for no other. Make a token for ${facts.displayName} in Settings → Docker hosts.`,
    )
  }
  if (removal && !(token && token.createdAt > removal.removed_at)) throw removedError(removal)
  if (host) refuseOtherToken(host, known)
  if (host) refuseOtherMachine(host, facts, known.monotonic)
  if (!host && known.hosts >= mostHosts) {
    throw new AppError(
      'docker_host_limit',
      `Pulse watches ${mostHosts} Docker hosts at most. Remove some in Settings → Docker hosts.`,
    )
  }
  if (!host && known.hostsOfToken >= mostHostsOfToken) {
    throw new AppError(
      'docker_host_limit',
      `${mostHostsOfToken} Docker hosts at most may report with one token. Make another one for ${facts.displayName} in Settings → Docker hosts.`,
    )
  }
  return {
    isNew: host === undefined,
    ...(token && token.id !== host?.token?.id && { token }),
    ...(token?.oneHost && !token.boundHost && { binds: true }),
    ...(removal && { unblocks: true }),
  }
}

function removedError({ name, blocked_until }: DockerRemovalRow): AppError {
  return new AppError(
    'docker_host_removed',
    `${name} was removed from Pulse and may not report until ${new Date(blocked_until).toISOString()}. Stop the agent there; to have the host back, make a new token for it in Settings → Docker hosts, or allow it there to report again.`,
  )
}

function refuseOtherToken({ id, token: own, facts, lastSeenAt }: Host, { token, isTokenLive }: Known): void {
  if (!token || own?.id === token.id || token.boundHost?.id === id) return
  const name = facts.displayName
  const remedy = 'prepare a new token for this host in Settings → Diagnostics'
  if (own && isTokenLive(own.id)) {
    throw new AppError(
      'docker_token_mismatch',
      `${name} reports with the token "${own.name}" (${own.hint}), and this is another one. Use that token, or ${remedy}.`,
    )
  }
  if (own) {
    throw new AppError(
      'docker_token_mismatch',
      `${name} reported with the token "${own.name}" (${own.hint}), which has ended, and this is another one. To go on, ${remedy}.`,
    )
  }
  if (lastSeenAt !== undefined) {
    throw new AppError(
      'docker_token_mismatch',
      `${name} has reported without a token, as an administrator. To go on with one, ${remedy}.`,
    )
  }
}

const isSameMachine = (a: HostFacts, b: HostFacts) => a.hostname === b.hostname && a.machineId === b.machineId

/** While a machine is there, no other one speaks in its name. One that was renamed is let in when its old self is gone. */
function refuseOtherMachine({ facts: own, ...host }: Host, facts: HostFacts, monotonic: number): void {
  const { reportedAt } = host
  if (reportedAt === undefined || monotonic - reportedAt > silenceMs(own) || isSameMachine(own, facts)) return
  throw new AppError(
    'docker_identity_conflict',
    `${own.hostname} reports under the identity ${host.id} already. If ${facts.hostname} is another machine, give it an identity of its own: --agent-id, or a new /etc/machine-id. If it is the same machine with a new name, it is accepted after the old name has not reported for ${Math.round(silenceMs(own) / 1000)} s.`,
  )
}
