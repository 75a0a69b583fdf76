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

/** What a row says of a resource besides its thresholds. */
export interface Resource {
  name: string
  /** what it is */
  badge?: string | undefined
  cluster?: string | undefined
  /** what tells it from others of its name */
  note?: string | undefined
}

/** How records of a kind become rows. */
interface ResourceKind<K extends OverrideKind> {
  resource: (record: RecordOf<K>) => Resource
  isShown?: (record: RecordOf<K>) => boolean
  /** below which head it stands; without it there are none */
  group?: (record: RecordOf<K>) => string
  /** within its group */
  order?: (record: RecordOf<K>) => SortValue
  /** what else the search finds it by */
  searched?: (record: RecordOf<K>) => readonly (string | undefined)[]
  /** fields that nothing here looks at */
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
      name: name || `Guest ${vmid}`,
      badge: type === 'qemu' ? 'VM' : 'CT',
      note: String(vmid),
    }),
    isShown: ({ template }) => !template,
    group: nodeKey,
    order: ({ vmid }) => vmid,
    searched: ({ node, instance, tags }) => [node, instance, tags],
    unread: unreadOf('guests', 'ipAddresses'),
  },
  storage: {
    resource: ({ name, type, shared }) => ({ name, badge: type, note: shared ? 'shared' : undefined }),
    group: placeOfStorage,
    searched: ({ node, instance, nodes }) => [node, instance, ...(nodes ?? [])],
    unread: unreadOf('storage', 'total'),
  },
  datastores: {
    resource: ({ name, comment }) => ({ name, note: comment }),
    group: ({ source }) => source,
    searched: ({ server }) => [server],
    unread: unreadOf('datastores', 'total', 'namespaces', 'deduplicationFactor', 'fullAt'),
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

/** What many nodes share stands below a head of its own. */
function placeOfStorage({ instance, node, shared }: Storage): string {
  return nodeKey({ instance, node: shared ? '' : node })
}

const serverName = (live: LiveReader, source: string) => live.records('pbs').get(source)?.name ?? source

export const readerOf = <K extends OverrideKind>(kind: K): ResourceKind<K> => readers[kind]

/** Which other records say something of the heads, and whether a row is there at all. */
export const groupKinds: Readonly<Partial<Record<OverrideKind, RecordKind>>> = {
  guests: 'nodes',
  storage: 'nodes',
  datastores: 'pbs',
  dockerContainers: 'dockerHosts',
}

/** The same object while the heads stay as they are. */
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
