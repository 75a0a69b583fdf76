import {
  figureFields,
  type OverrideKind,
  type RecordKind,
  type RecordOf,
  type Storage,
} from '@pulse/contract'
import { containerName } from '@pulse/domain'
import { displayName } from '../../../lib/display-name.ts'
import type { LiveReader } from '../../../live/store.ts'
import { indexHosts, orderHosts } from '../../../parts/nodes/docker-hosts.ts'
import { indexNodes, orderNodeKeys, nodeKey } from '../../../parts/nodes/nodes.ts'
import { compareValues, type SortValue } from '../../../ui/table/sort.ts'
import { guestName } from '../../../parts/guests/guest-name.ts'

/** A table row's texts. */
export interface Resource {
  name: string
  /** type badge */
  badge?: string | undefined
  cluster?: string | undefined
  /** distinguishes resources with the same name */
  note?: string | undefined
}

/** Maps records of a kind to rows. */
interface ResourceKind<K extends OverrideKind> {
  resource: (record: RecordOf<K>) => Resource
  isShown?: (record: RecordOf<K>) => boolean
  /** group key; without it the table has no groups */
  group?: (record: RecordOf<K>) => string
  /** sort value within the group */
  order?: (record: RecordOf<K>) => SortValue
  /** further texts the search matches */
  searched?: (record: RecordOf<K>) => readonly (string | undefined)[]
  /** fields that none of these functions read */
  unread?: ReadonlySet<string>
}

const unreadOf = (kind: RecordKind, ...others: string[]): ReadonlySet<string> =>
  new Set([...figureFields(kind), ...others])

const readers: { [K in OverrideKind]: ResourceKind<K> } = {
  nodes: {
    resource: (node) => ({
      name: displayName(node),
      cluster: node.isClusterMember ? node.clusterName : undefined,
    }),
    searched: ({ node, instance }) => [node, instance],
    unread: unreadOf('nodes', 'temperature', 'loadAverage'),
  },
  pbs: {
    resource: ({ name }) => ({ name }),
    searched: ({ host }) => [host],
    unread: unreadOf('pbs', 'memoryTotal', 'failedTasks'),
  },
  guests: {
    resource: ({ name, vmid, type }) => ({
      name: guestName({ name, vmid }),
      badge: type === 'qemu' ? 'VM' : 'CT',
      note: String(vmid),
    }),
    isShown: ({ template }) => !template,
    group: nodeKey,
    order: ({ vmid }) => vmid,
    searched: ({ node, instance, tags }) => [node, instance, tags],
    unread: unreadOf('guests', 'ipAddresses', 'forecast'),
  },
  storage: {
    resource: ({ name, type, shared }) => ({ name, badge: type, note: shared ? 'shared' : undefined }),
    group: groupOfStorage,
    searched: ({ node, instance, nodes }) => [node, instance, ...(nodes ?? [])],
    unread: unreadOf('storage', 'total', 'forecast'),
  },
  datastores: {
    resource: ({ name, comment }) => ({ name, note: comment }),
    group: ({ source }) => source,
    searched: ({ server }) => [server],
    unread: unreadOf('datastores', 'total', 'namespaces', 'deduplicationFactor', 'fullAt', 'forecast'),
  },
  pmg: {
    resource: ({ name }) => ({ name }),
    searched: ({ host }) => [host],
    unread: new Set(['mailStats', 'mailCount', 'quarantine', 'spamDistribution', 'domains', 'lastUpdated']),
  },
  dockerHosts: {
    resource: ({ id, displayName: shown, hostname }) => ({
      name: shown || hostname || id,
      note: shown && hostname !== shown ? hostname : undefined,
    }),
    isShown: ({ hidden }) => !hidden,
    searched: ({ hostname }) => [hostname],
  },
  dockerContainers: {
    resource: (container) => ({ name: containerName(container), note: container.image }),
    group: ({ source }) => source,
    unread: unreadOf('dockerContainers', 'memoryLimitBytes', 'status'),
  },
}

/** Shared storage has its own group instead of a node's. */
function groupOfStorage({ instance, node, shared }: Storage): string {
  return nodeKey({ instance, node: shared ? '' : node })
}

const serverName = (live: LiveReader, source: string) => live.records('pbs').get(source)?.name ?? source

export const readerOf = <K extends OverrideKind>(kind: K): ResourceKind<K> => readers[kind]

/** Further record kinds that decide about group heads and row visibility. */
export const groupKinds: Readonly<Partial<Record<OverrideKind, RecordKind>>> = {
  guests: 'nodes',
  storage: 'nodes',
  datastores: 'pbs',
  dockerContainers: 'dockerHosts',
}

/** Same identity while the heads are unchanged. */
export function groupsAround(live: LiveReader, kind: OverrideKind) {
  if (kind === 'dockerContainers') return indexHosts(live)
  if (kind === 'datastores') return live.version('pbs')
  return groupKinds[kind] === 'nodes' ? indexNodes(live) : undefined
}

export function orderGroups(
  present: readonly string[],
  live: LiveReader,
  kind: OverrideKind,
): readonly string[] {
  if (kind === 'dockerContainers') return orderHosts(present, indexHosts(live))
  if (kind === 'datastores')
    return present.toSorted((a, b) => compareValues(serverName(live, a), serverName(live, b)))
  return orderNodeKeys(present, indexNodes(live))
}

export function groupName(live: LiveReader, kind: OverrideKind, group: string): string {
  if (kind === 'dockerContainers') return indexHosts(live).get(group)?.name ?? group
  if (kind === 'datastores') return serverName(live, group)
  const [instance = '', node = ''] = group.split('\0')
  return node ? (indexNodes(live).get(group)?.name ?? node) : `Shared storage of ${instance}`
}
