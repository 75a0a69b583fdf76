import type { DockerHost, SourceState } from '@pulse/contract'
import type { Condition, Resource } from '../condition.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { siteUnreachable } from './site.ts'
import { recheckMs, nodeOfflineId, offlineConfirmations } from './node.ts'

export const pbsOfflineId = (source: string): string => `pbs-offline-${source}`
export const pmgOfflineId = (source: string): string => `pmg-offline-${source}`
export const dockerOfflineId = (host: string): string => `docker-host-offline-${host}`

/** For a source that is one machine: why its rules do not apply while it is unreachable. */
export function hostDown(on: Judging, alertId: string): string | undefined {
  const isMuted = on.policy.offline.off !== undefined && on.tables.sources.get(on.record)?.health === 'error'
  return isMuted || on.isOpen(alertId) ? 'It is offline.' : undefined
}

type Found = Pick<Condition, 'id' | 'type' | 'resource' | 'message'> & {
  off: string | undefined
  held?: string | undefined
  origin: Condition['origin']
}

/** A single machine is offline when it does not answer, even before its first answer. */
const offline: Rule<SourceState> = {
  name: 'source-offline',
  seesStale: true,
  judge(state, on) {
    const isBad = state.health === 'error'
    if (!isBad && !on.isWatched) return
    const found = finders[state.kind](state, on)
    if (!found) return
    const { off, held: reason, ...rest } = found
    const held = reason ?? (state.health === 'unknown' ? 'It has not answered yet.' : undefined)
    const isHeld = held !== undefined
    const verdict = off !== undefined ? 'off' : isHeld ? 'held' : isBad ? 'bad' : 'fine'
    if (verdict === 'bad') on.recheckIn(recheckMs)
    on.emit({
      ...rest,
      verdict,
      reason: off ?? held,
      level: 'critical',
      confirmations: offlineConfirmations,
    })
  },
}

const finders: Readonly<Record<SourceState['kind'], (state: SourceState, on: Judging) => Found | undefined>> =
  {
    /** The nodes of a cluster report their own offline state, once they are known. */
    pve(state, on) {
      const hasNodeAlerts = state.lastSeen !== undefined && hasNodes(on)
      if (hasNodeAlerts && !on.isOpen(nodeOfflineId(on.record))) return undefined
      const { offline: set, off } = on.policyOf('nodes', on.record, state)
      const isLeft = hasNodeAlerts && state.health === 'error'
      return {
        id: nodeOfflineId(on.record),
        type: 'connectivity',
        resource: on.resource,
        message: messageOf(`Cluster ${state.name}`, state),
        off: off ?? set.off ?? (isLeft ? 'Its nodes are evaluated one by one.' : undefined),
        origin: set.origin,
      }
    },
    pbs: (state, on) => machineOffline('pbs', pbsOfflineId(on.record), 'Backup server', state, on),
    pmg: (state, on) => machineOffline('pmg', pmgOfflineId(on.record), 'Mail gateway', state, on),
    docker(_state, on) {
      const host = on.tables.dockerHosts.get(on.record)
      if (!host) return undefined
      const { offline: set, off } = on.policyOf('dockerHosts', on.record, host)
      const isLeaving = host.pendingUninstall ? 'Its agent is being uninstalled.' : undefined
      return {
        id: dockerOfflineId(host.id),
        type: 'docker-host-offline',
        resource: dockerHostResource(host),
        message: `Container host ${host.displayName} is offline: its agent does not report`,
        off: off ?? set.off ?? (host.hidden ? 'It is hidden.' : undefined),
        held: isLeaving,
        origin: set.origin,
      }
    },
  }

function machineOffline(
  kind: 'pbs' | 'pmg',
  id: string,
  label: string,
  state: SourceState,
  on: Judging,
): Found {
  const machine = on.tables[kind].get(on.record)
  const { offline: set, off } = on.policyOf(kind, on.record, machine ?? { id: state.name })
  const name = machine?.name ?? bareName(state)
  const node = machine?.host ?? ''
  return {
    id,
    type: 'offline',
    resource: { ...on.resource, name, instance: name, node, type: kind.toUpperCase() },
    message: messageOf(`${label} ${name}`, state),
    off: off ?? set.off,
    origin: set.origin,
  }
}

/** The source of the backup server `backup` has the name `pbs-backup`. */
const bareName = ({ kind, name }: SourceState): string =>
  name.startsWith(`${kind}-`) ? name.slice(kind.length + 1) : name

const hasNodes = (on: Judging): boolean =>
  on
    .once('sources with nodes', () => new Set([...on.tables.nodes.values()].map(({ source }) => source)))
    .has(on.record)

function messageOf(what: string, { error, refused, untrusted }: SourceState): string {
  const why = error ? `: ${error}` : ''
  if (untrusted) return `${what} cannot be monitored: its certificate is not trusted${why}`
  return refused ? `${what} cannot be monitored: access refused${why}` : `${what} cannot be reached${why}`
}

const dockerHostResource = ({ id, displayName, hostname }: DockerHost): Resource => ({
  id: `docker:${id}`,
  name: displayName,
  node: hostname,
  instance: `Docker:${displayName}`,
  type: 'DockerHost',
})

export const sources: Subject<'sources'> = {
  kind: 'sources',
  looksByItself: true,
  resource: ({ name }) => ({ id: name, name, node: name, instance: name, type: 'Node' }),
  rules: [offline, siteUnreachable],
}
