import type { DockerAgentCheck } from '@pulse/contract'
import { counting } from '@pulse/domain'
import { type Host, isShownOnline } from '../agent-kind.ts'
import type { AgentProtocol } from './protocol.ts'

const overdueMs = 10 * 60_000

export interface Diagnosed {
  protocol: Pick<AgentProtocol, 'noun'>
  hosts: readonly Host[]
  /** version of the agent that this server provides */
  recommended: string | undefined
  monotonic: number
}

/** The condition of the agents. Hidden hosts count too, because they may still have problems. */
export function diagnoseAgents({ protocol, hosts, recommended, monotonic }: Diagnosed): DockerAgentCheck {
  const count = (is: (host: Host) => boolean) => hosts.filter(is).length
  const hostsOfToken = Map.groupBy(
    hosts.filter(({ token }) => token !== undefined),
    ({ token }) => token!.id,
  )
  const issuesOf = (host: Host): string[] => {
    const { token, facts, conflict, clockAheadMinutes, cut, command } = host
    const others = token ? hostsOfToken.get(token.id)!.length - 1 : 0
    return [
      !isShownOnline(host) && silenceOf(host, monotonic),
      facts.agentVersion === undefined && 'The agent does not report its version.',
      isOutdated(host, recommended) &&
        `The agent is of version ${facts.agentVersion}; this server offers ${recommended}.`,
      token === undefined && 'It reports without a token of its own.',
      others > 0 && `Its token serves ${others} more ${others === 1 ? 'host' : 'hosts'}.`,
      hasStaleCommand(host) && 'Its agent did not run a command within 10 minutes.',
      command?.status === 'failed' &&
        `Its agent could not stop: ${command.failureReason ?? 'no reason given'}.`,
      host.pendingUninstall && 'It is marked to be uninstalled.',
      conflict && `Another machine, ${conflict.hostname}, reports under its identity.`,
      clockAheadMinutes !== 0 &&
        `Its clock is ${Math.abs(clockAheadMinutes)} min ${clockAheadMinutes > 0 ? 'ahead of' : 'behind'} this server's.`,
      cut.length > 0 && `Its report exceeds the limits; truncated: ${cut.join(', ')}.`,
    ].filter((issue) => typeof issue === 'string')
  }
  const checked = hosts.map((host) => {
    const { id, facts, token, lastSeenAt } = host
    return {
      hostId: id,
      name: facts.displayName,
      status: isShownOnline(host) ? 'online' : 'offline',
      ...(facts.agentVersion !== undefined && { agentVersion: facts.agentVersion }),
      ...(token && { tokenHint: token.hint }),
      ...(lastSeenAt !== undefined && { lastSeen: new Date(lastSeenAt).toISOString() }),
      issues: issuesOf(host),
    }
  })
  const attention = checked.filter(({ issues }) => issues.length > 0)
  return {
    hostsTotal: hosts.length,
    hostsOnline: count(isShownOnline),
    hostsReportingVersion: count(({ facts }) => facts.agentVersion !== undefined),
    hostsWithTokenBinding: count(({ token }) => token !== undefined),
    hostsWithoutTokenBinding: count(({ token }) => token === undefined),
    hostsWithoutVersion: count(({ facts }) => facts.agentVersion === undefined),
    hostsOutdatedVersion: count((host) => isOutdated(host, recommended)),
    hostsWithStaleCommand: count(hasStaleCommand),
    hostsPendingUninstall: count(({ pendingUninstall }) => pendingUninstall),
    hostsNeedingAttention: attention.length,
    ...(recommended !== undefined && { recommendedAgentVersion: recommended }),
    attention,
    otherHosts: checked.filter(({ issues }) => issues.length === 0),
    notes: notesOf(protocol, hosts, recommended),
  }
}

function silenceOf({ reportedAt }: Host, monotonic: number): string {
  if (reportedAt === undefined) return 'No report since Pulse was started.'
  return monotonic - reportedAt > overdueMs ? 'No report for more than 10 minutes.' : 'Offline.'
}

/** Agents of Pulse 4.x have their own version numbers, so they do not count as outdated. */
const isOutdated = ({ facts: { agentVersion } }: Host, recommended: string | undefined) =>
  recommended !== undefined &&
  agentVersion !== undefined &&
  !agentVersion.startsWith('v') &&
  agentVersion !== recommended

const hasStaleCommand = ({ command }: Host) => command?.status === 'expired'

function notesOf(
  { noun }: Diagnosed['protocol'],
  hosts: readonly Host[],
  recommended: string | undefined,
): string[] {
  const older = hosts.filter(({ facts }) => facts.agentVersion?.startsWith('v')).length
  return [
    ...(hosts.length === 0 ? [`No ${noun} reports yet.`] : []),
    ...(recommended === undefined ? ['This server was built without an agent to download.'] : []),
    ...(older > 0
      ? [
          `${counting(older, 'host runs', 'hosts run')} an agent of Pulse 4.x. It works, but the agent of this server reports more.`,
        ]
      : []),
  ]
}
