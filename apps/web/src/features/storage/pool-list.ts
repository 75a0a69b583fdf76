import type { Storage } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { perVersion } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { type AlertLevel, type AlertLevels, alertLevels } from '../../parts/alerts/alert-levels.ts'
import { storageTrouble } from '../../parts/alerts/attention.ts'
import { createListSelector } from '../../parts/list/list-selector.ts'
import { indexNodes, type NodeIndex, orderNodeKeys } from '../../parts/nodes/nodes.ts'
import { compareValues, type Sort } from '../../ui/table/sort.ts'
import type { PoolGrouping } from './filter.ts'
import { groupOf, instanceOfKey, isSharedGroup, nodeNames } from './pool-groups.ts'
import { hostOf } from '../../lib/host.ts'
import { nodeKeysOf } from '../../parts/storage/storage-nodes.ts'
import { poolOrders, type PoolSortKey } from './pool-columns.tsx'
import type { NodeNames, PoolPredicate } from './storage-search.ts'

export interface PoolQuery {
  matches: PoolPredicate
  sort: Sort<PoolSortKey>
  grouping: PoolGrouping
  /** only storages that this node can use, see `nodeKey` */
  node: string | undefined
  /** only storages that need attention */
  attention: boolean
}

export const poolListNames = { record: 'pool', group: 'node' } as const

/** `well` includes storages disabled on purpose; `attention` ones remain usable */
export type PoolMark = 'well' | 'attention' | 'unavailable' | 'stale'

export function markOf(pool: Storage, alert?: AlertLevel): PoolMark {
  if (!storageTrouble(pool, alert)) return 'well'
  if (pool.staleSince !== undefined) return 'stale'
  return pool.enabled && pool.status !== 'available' ? 'unavailable' : 'attention'
}

export function createPoolListSelector({ matches, sort, grouping, node, attention }: PoolQuery) {
  const { value } = poolOrders.find(({ id }) => id === sort.key)!
  return createListSelector({
    kind: 'storage',
    names: poolListNames,
    context: (live): Around => [indexNodes(live), nodeNames(live), pbsServers(live), alertLevels(live)],
    direction: sort.direction,
    toItem(pool, [, names, servers, alerts]) {
      if (node !== undefined && !nodeKeysOf(pool).includes(node)) return undefined
      if (!matches(pool, names, pbsNamesOf(pool, servers))) return undefined
      const category = markOf(pool, alerts.get(pool.id))
      if (attention && category === 'well') return undefined
      return {
        value: value(pool, undefined),
        tiebreaker: `${pool.name} ${pool.node}`,
        group: groupOf(pool),
        category,
      }
    },
    ...(grouping === 'node' && { groups: inOrder }),
  })
}

/** Other data that decides about a storage. */
type Around = readonly [
  nodes: NodeIndex,
  names: NodeNames,
  servers: ReturnType<typeof pbsServers>,
  alerts: AlertLevels,
]

/** Shared storages first, then each node's own. */
function inOrder(groups: readonly string[], [nodes]: Around): readonly string[] {
  const shared = groups.filter(isSharedGroup)
  return [
    ...shared.toSorted((a, b) => compareValues(instanceOfKey(a), instanceOfKey(b))),
    ...orderNodeKeys(
      groups.filter((group) => !isSharedGroup(group)),
      nodes,
    ),
  ]
}

/** Storages with a note below: their pool has a problem. */
export function selectNoted(live: LiveReader, isNoted: (pool: Storage) => boolean): ReadonlySet<string> {
  const noted = new Set<string>()
  for (const [id, pool] of live.records('storage')) if (isNoted(pool)) noted.add(id)
  return noted
}

/** Names of PBS servers, by the name or address of their host. */
type PbsServers = ReadonlyMap<string, readonly string[]>

/** Same identity while names and hosts are unchanged. */
const pbsServers = perVersion(
  ['pbs'],
  (live): PbsServers => {
    const hosts = Map.groupBy(live.records('pbs').values(), ({ host }) => hostOf(host))
    return new Map([...hosts].map(([host, servers]) => [host, servers.map(({ name }) => name)]))
  },
  (a, b) => isEqual([...a], [...b]),
)

/** Search texts of a storage of type pbs: its connection, its server and its datastore. */
function pbsNamesOf({ pbs }: Pick<Storage, 'pbs'>, servers: PbsServers): readonly string[] {
  if (!pbs) return []
  return [...(servers.get(hostOf(pbs.server)) ?? []), pbs.server, pbs.datastore]
}
