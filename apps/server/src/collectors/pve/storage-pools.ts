import type { Storage } from '@pulse/contract'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'
import type { PveStorageConfig } from './schema.ts'
import { storageId, withUsage } from './storage.ts'
import { toZfsPool, type PoolFacts } from './zfs.ts'

/** The pools of a node, as last read. */
export interface NodePools {
  pools: readonly PoolFacts[]
  /** monotonic */
  freshUntil: number
  failed: boolean
}

/** No data can be read or written in these states. */
const dead = new Set(['FAULTED', 'UNAVAIL', 'SUSPENDED', 'REMOVED', 'OFFLINE'])

/** The default of every new node. It proves nothing, because administrators rename and move storages. */
const installed = { storage: 'local-zfs', pool: 'rpool' }

/** Adds the pool of each storage, and a row for a pool without a storage, so that its failure is visible. */
export function addPools(
  records: Map<string, Storage>,
  byNode: ReadonlyMap<string, NodePools>,
  config: ReadonlyMap<string, PveStorageConfig> | undefined,
  context: MapContext,
  now: number,
): void {
  const taken = new Set<string>()
  /** pools on which the installer creates a storage without naming the pool */
  const likely = new Set<string>()
  for (const [key, record] of records) {
    const known = record.shared ? undefined : byNode.get(record.node)
    const name = known && poolName(record, config?.get(record.storage), known.pools)
    const pool = known?.pools.find((one) => one.name === name)
    if (known && !name && record.storage === installed.storage) likely.add(`${record.node} ${installed.pool}`)
    if (!known || !pool) continue
    taken.add(`${record.node} ${pool.name}`)
    const isOld = isOldNow(known, now) || record.staleSince !== undefined
    records.set(key, {
      ...record,
      zfsPool: { ...toZfsPool(pool), ...(isOld && { staleSince: shownAt(pool.at, context) }) },
    })
  }
  for (const [node, known] of byNode) {
    for (const pool of known.pools) {
      const key = `${context.source}:${node}:${pool.name}`
      if (taken.has(`${node} ${pool.name}`) || records.has(key)) continue
      // The storage already shows the usage, so only a faulty pool adds information.
      if (likely.has(`${node} ${pool.name}`) && pool.state === 'ONLINE') continue
      records.set(key, toRow(pool, node, isOldNow(known, now), context))
    }
  }
}

const isOldNow = ({ failed, freshUntil }: NodePools, now: number) => failed || now > freshUntil

function toRow(pool: PoolFacts, node: string, isOld: boolean, context: MapContext): Storage {
  const { name, state, sizes, at } = pool
  const isGone = context.lost?.has(node) ?? false
  const isDead = dead.has(state)
  const stale = isGone || isOld ? { staleSince: shownAt(at, context) } : {}
  return {
    id: storageId(context.instance, node, name),
    instance: context.instance,
    node,
    storage: name,
    name,
    type: 'zfs',
    content: '',
    status: isGone ? 'unknown' : isDead ? state.toLowerCase() : 'available',
    shared: false,
    enabled: true,
    active: !isGone && !isDead,
    ...withUsage(sizes?.total ?? 0, sizes?.used, sizes?.free),
    zfsPool: { ...toZfsPool(pool), ...stale },
    source: context.source,
    ...stale,
  }
}

/** The configured pool of a storage. A directory is on its node's only pool, unless it has its own mount. */
function poolName(
  { type, storage }: Storage,
  settings: PveStorageConfig | undefined,
  pools: readonly PoolFacts[],
): string | undefined {
  if (type === 'zfspool')
    return settings?.pool?.split('/')[0] ?? pools.find(({ name }) => name === storage)?.name
  const isOfSystem = type === 'dir' && settings !== undefined && !settings.is_mountpoint
  return isOfSystem && pools.length === 1 ? pools[0]!.name : undefined
}
