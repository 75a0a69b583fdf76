import type { RemovedDockerHost } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { markPending, queueStop } from './commands.ts'
import { type AgentCommand, type Host, isShownOnline } from '../agent-kind.ts'
import type { Hosts } from './hosts.ts'
import type { AgentProtocol } from './protocol.ts'

export type RemovalMode = 'usual' | 'force' | 'hide'

export interface Done {
  hostId: string
  /** display name */
  name: string
  message: string
  command?: AgentCommand
  what: 'removed' | 'stopping' | 'hidden' | 'absent'
}

/** Actions of administrators on hosts. */
export interface HostActions {
  remove(hostId: string, mode: RemovalMode): Promise<Done>
  unhide(hostId: string): Promise<Host>
  markPending(hostId: string): Promise<Host>
  /** Returns the name of the readmitted host; undefined when it was not blocked. */
  allow(hostId: string): Promise<string | undefined>
  removed(): RemovedDockerHost[]
}

export interface HostActionEdges {
  protocol: Pick<AgentProtocol, 'name' | 'noun'>
  hosts: Hosts
  clock: Clock
  onNews: () => void
}

export const unknownHost = ({ name, noun }: Pick<AgentProtocol, 'name' | 'noun'>) =>
  new AppError(`${name}_host_not_found`, `There is no such ${noun}.`)

export function createHostActions({ protocol, hosts, clock, onNews }: HostActionEdges): HostActions {
  const hostOf = (hostId: string): Host => sameHost(hosts.byId(hostId))

  function sameHost(host: Host | undefined): Host {
    if (host && hosts.byId(host.id) === host) return host
    throw unknownHost(protocol)
  }

  /** Stores the change before it is shown. */
  async function change(host: Host, alter: (host: Host) => void): Promise<Host> {
    const { hidden, pendingUninstall, pendingSince, command, commandEndsAt } = host
    alter(host)
    try {
      await hosts.runExclusive(() => hosts.save(sameHost(host)))
    } catch (error) {
      Object.assign(host, { hidden, pendingUninstall, pendingSince, command, commandEndsAt })
      throw error
    }
    hosts.show(host)
    onNews()
    return host
  }

  return {
    async remove(hostId, mode) {
      const known = hosts.byId(hostId)
      if (!known && mode === 'force') {
        return {
          hostId,
          name: hostId,
          message: `There is no such ${protocol.noun} any more.`,
          what: 'absent',
        }
      }
      const host = hostOf(hostId)
      const name = host.facts.displayName
      if (mode === 'hide') {
        await change(host, (one) => (one.hidden = true))
        return { hostId, name, message: `${name} is hidden. It keeps reporting.`, what: 'hidden' }
      }
      if (mode === 'usual' && isShownOnline(host)) {
        await change(host, (one) => queueStop(one, clock, protocol))
        const message = `The agent of ${name} will stop at its next report.`
        return { hostId, name, message, what: 'stopping', command: host.command! }
      }
      await hosts.runExclusive(() => hosts.remove(host))
      onNews()
      return {
        hostId,
        name,
        message: `${name} was removed. Its reports are refused for 24 hours.`,
        what: 'removed',
      }
    },
    unhide: async (hostId) => change(hostOf(hostId), (host) => (host.hidden = false)),
    markPending: async (hostId) => change(hostOf(hostId), (host) => markPending(host, clock)),
    async allow(hostId) {
      const name = hosts.removal(hostId)?.name
      await hosts.allow(hostId)
      return name
    },
    removed: () =>
      hosts.removals().map(({ host_id, name, removed_at, blocked_until }) => ({
        hostId: host_id,
        name,
        removedAt: removed_at,
        blockedUntil: blocked_until,
      })),
  }
}
