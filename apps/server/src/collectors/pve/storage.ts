import type { Storage } from '@pulse/contract'
import { percentOf } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import { shown, type MapContext } from './map.ts'
import { toZfsPool, type PoolFacts } from './zfs.ts'
import type { PveNodeStorage, PveStorageConfig, PveStorageEntry } from './schema.ts'

/** What is known of one storage as one node sees it. */
export interface StorageView {
  node: string
  /** the listing of all nodes, every 10 s unless the user wants it otherwise; moments are monotonic */
  listed?: { entry: PveStorageEntry; at: number; freshUntil: number } | undefined
  /** the node's own list, every minute */
  reported?: { row: PveNodeStorage; at: number } | undefined
  /** the node is not there now */
  gone?: boolean | undefined
  /** when it last was, if ever */
  goneSince?: number | undefined
}

/** The pools of a node, as they were read last. */
export interface NodePools {
  pools: readonly PoolFacts[]
  /** monotonic */
  freshUntil: number
  failed: boolean
}

const sharedTypes = new Set(['nfs', 'cifs', 'glusterfs', 'cephfs', 'rbd', 'iscsi', 'iscsidirect', 'pbs'])
/** Names of pseudo storages that only ever hold read-only images. */
const readOnlyTypes = new Set(['iso', 'iso9660', 'squashfs', 'erofs', 'cdfs', 'udf', 'cramfs'])

interface Row extends Storage {
  key: string
}

/** One row per storage and node; what is shared is one row for the whole connection. */
export function toStorage(
  views: ReadonlyMap<string, readonly StorageView[]>,
  config: ReadonlyMap<string, PveStorageConfig> | undefined,
  context: MapContext,
  now = -Infinity,
  pools: ReadonlyMap<string, NodePools> = new Map(),
): Map<string, Storage> {
  const records = new Map<string, Storage>()
  for (const [storage, all] of views) {
    const settings = config?.get(storage)
    const rows = all
      .filter((view) => mayUse(settings, view, all))
      .map((view) => toRow(storage, view, settings, context, now))
      .map((row) => withPool(row, settings, pools.get(row.node), context, now))
      .filter((row) => !readOnlyTypes.has(row.type))
    const shared = rows.filter((row) => row.shared)
    if (shared.length > 0) {
      const { key, ...record } = collapse(storage, shared, context)
      records.set(key, record)
    }
    for (const { key, ...record } of rows.filter((row) => !row.shared)) records.set(key, record)
  }
  return records
}

/** Never for what lies elsewhere: a failing disk of the node says nothing about an NFS server. */
function withPool(
  row: Row,
  settings: PveStorageConfig | undefined,
  known: NodePools | undefined,
  context: MapContext,
  now: number,
): Row {
  if (!known || row.shared) return row
  const pool = known.pools.find(({ name }) => name === poolName(row, settings, known.pools))
  if (!pool) return row
  const isOld = known.failed || now > known.freshUntil || row.staleSince !== undefined
  return {
    ...row,
    zfsPool: { ...toZfsPool(pool), ...(isOld && { staleSince: shown(pool.at, context) }) },
  }
}

/** The pool a storage is set up on; a directory is on the only pool of its node unless it is a mount of its own. */
function poolName(
  { type, storage }: Row,
  settings: PveStorageConfig | undefined,
  pools: readonly PoolFacts[],
): string | undefined {
  if (type === 'zfspool')
    return settings?.pool?.split('/')[0] ?? pools.find(({ name }) => name === storage)?.name
  const isOfSystem = type === 'dir' && settings !== undefined && !settings.is_mountpoint
  return isOfSystem && pools.length === 1 ? pools[0]!.name : undefined
}

/**
 * PVE lists a storage on nodes that it is not for, as disabled. Where the configuration may not be read, a storage
 * that some other node may use is not for this one; one that is disabled everywhere is just that.
 */
function mayUse(
  settings: PveStorageConfig | undefined,
  view: StorageView,
  all: readonly StorageView[],
): boolean {
  if (settings) {
    const nodes = (settings.nodes ?? '').split(/[,;\s]+/).filter(Boolean)
    return nodes.length === 0 || nodes.includes(view.node)
  }
  const isDisabled = view.reported?.row.enabled === false && !view.listed
  return !isDisabled || !all.some(({ listed, reported }) => listed || reported?.row.enabled)
}

function toRow(
  storage: string,
  view: StorageView,
  settings: PveStorageConfig | undefined,
  context: MapContext,
  now: number,
): Row {
  const { node, listed, reported, gone } = view
  const row = reported?.row
  const entry = listed?.entry
  const type = row?.type ?? entry?.plugintype ?? settings?.type ?? ''
  const shared =
    (row?.shared ?? entry?.shared ?? false) || (settings?.shared ?? false) || sharedTypes.has(type)
  const word = lastWord(view, now)
  const enabled = !(settings?.disable ?? (row ? row.enabled === false : false))
  const active = enabled && !gone && word.active
  const stale = gone ? view.goneSince : (word.staleSince ?? context.staleSince)
  return {
    key: `${context.source}:${node}:${storage}`,
    id: context.instance === node ? `${node}-${storage}` : `${context.instance}-${node}-${storage}`,
    instance: context.instance,
    node,
    storage,
    name: storage,
    type,
    content: sortedList(row?.content ?? entry?.content ?? settings?.content),
    status: statusWord({ enabled, active, gone: gone ?? false, own: word.own }),
    shared,
    enabled,
    active,
    ...figures(view),
    source: context.source,
    ...(stale !== undefined && { staleSince: shown(stale, context) }),
  }
}

/**
 * Whether it can be used, by whoever spoke last: the node's own list while that is fresh, for it asks the storage
 * itself, and else the listing. A listing that has lost sight of it leaves figures behind that only age.
 */
function lastWord(
  { listed, reported }: StorageView,
  now: number,
): { active: boolean; own: string | undefined; staleSince?: number | undefined } {
  const isListed = listed !== undefined && now <= listed.freshUntil
  if (reported && (now <= reported.at + freshMs.nodeStorages || !isListed)) {
    const isOld = now > reported.at + freshMs.nodeStorages
    const since = isOld ? Math.max(reported.at, listed?.at ?? -Infinity) : undefined
    return { active: reported.row.active ?? false, own: undefined, staleSince: since }
  }
  const own = listed?.entry.status
  const active = own === 'available'
  if (isListed) return { active, own, staleSince: active ? undefined : reported?.at }
  return { active, own, staleSince: listed?.at }
}

/** When one of its facts grows old. */
export const expiryOf = ({ listed, reported }: StorageView, now: number): number =>
  nextOf(now, listed?.freshUntil, reported && reported.at + freshMs.nodeStorages)

function statusWord(now: {
  enabled: boolean
  active: boolean
  gone: boolean
  own: string | undefined
}): string {
  if (!now.enabled) return 'disabled'
  if (now.gone) return 'unknown'
  if (now.active) return 'available'
  return now.own ?? 'inactive'
}

type Figures = Pick<Storage, 'total' | 'used' | 'avail' | 'free' | 'usage'>

/** The listing is fresher; the node's own report is exact about what is left. None that has a size: unknown. */
function figures({ listed, reported }: StorageView): Figures {
  const { total = 0, used, avail } = reported?.row ?? {}
  const newer =
    listed && listed.at > (reported?.at ?? -Infinity) && (listed.entry.maxdisk ?? 0) > 0
      ? listed.entry
      : undefined
  if (!newer) return withUsage(total, used, avail)
  const newTotal = newer.maxdisk ?? 0
  if (newer.disk === undefined) return { total: newTotal }
  const newUsed = Math.min(newer.disk, newTotal)
  const isSame = newTotal === total && used !== undefined && avail !== undefined
  const reserved = isSame ? Math.max(0, total - used - avail) : 0
  return withUsage(newTotal, newUsed, Math.max(0, newTotal - newUsed - reserved))
}

function withUsage(total: number, used: number | undefined, avail: number | undefined): Figures {
  if (total <= 0) return {}
  if (used === undefined) return { total }
  const inUse = Math.min(used, total)
  const left = Math.min(avail ?? total - inUse, total)
  return { total, used: inUse, avail: left, free: left, usage: percentOf(inUse, total) }
}

/** The figures of the node that reports most in use; a node that cannot reach it reports nothing. */
function collapse(storage: string, rows: readonly Row[], context: MapContext): Row {
  const fresh = rows.filter((row) => row.staleSince === undefined)
  const candidates = fresh.length > 0 ? fresh : rows
  const best = candidates.reduce((most, row) => ((row.used ?? -1) > (most.used ?? -1) ? row : most))
  const nodes = rows.map((row) => row.node).sort()
  const active = candidates.some((row) => row.active)
  const { staleSince: _, ...rest } = best
  return {
    ...rest,
    key: `${context.source}:${storage}`,
    id: `${context.instance}-cluster-${storage}`,
    node: 'cluster',
    nodes,
    nodeIds: nodes.map((node) => `${context.instance}-${node}`),
    nodeCount: nodes.length,
    active,
    status: active ? 'available' : best.status,
    ...(fresh.length === 0 && best.staleSince !== undefined && { staleSince: best.staleSince }),
  }
}

const sortedList = (list: string | undefined) => (list ?? '').split(',').filter(Boolean).sort().join(',')
