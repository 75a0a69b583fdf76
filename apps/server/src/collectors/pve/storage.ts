import type { Storage } from '@pulse/contract'
import { compareNames, percentOf } from '@pulse/domain'
import { freshMs, nextOf } from './age.ts'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'
import type { PveNodeStorage, PveStorageConfig, PveStorageEntry } from './schema.ts'

/** The data about one storage from one node. */
export interface StorageView {
  node: string
  /** from the listing of all nodes, every 10 s by default; times are monotonic */
  listed?: { entry: PveStorageEntry; at: number; freshUntil: number } | undefined
  /** the node's own list, every minute */
  reported?: { row: PveNodeStorage; at: number } | undefined
  /** the node is offline */
  gone?: boolean | undefined
  /** the account may not see it any more; its last data stays */
  hidden?: boolean | undefined
  /** the last time the node was online, if ever */
  goneSince?: number | undefined
}

const sharedTypes = new Set(['nfs', 'cifs', 'glusterfs', 'cephfs', 'rbd', 'iscsi', 'iscsidirect', 'pbs'])
/** Names of pseudo storages that only hold read-only images. */
const readOnlyTypes = new Set(['iso', 'iso9660', 'squashfs', 'erofs', 'cdfs', 'udf', 'cramfs'])

interface Row extends Storage {
  key: string
  gone: boolean
}

/** One row per storage and node. A shared storage has one row for the whole connection. */
export function toStorage(
  views: ReadonlyMap<string, readonly StorageView[]>,
  config: ReadonlyMap<string, PveStorageConfig> | undefined,
  context: MapContext,
  now = -Infinity,
): Map<string, Storage> {
  const records = new Map<string, Storage>()
  for (const [storage, all] of views) {
    const settings = config?.get(storage)
    const rows = all
      .filter((view) => mayUse(settings, view, all))
      .map((view) => toRow(storage, view, settings, context, now))
      .filter((row) => !readOnlyTypes.has(row.type))
    const shared = rows.filter((row) => row.shared)
    if (shared.length > 0) {
      const { key, gone: _, ...record } = collapse(storage, shared, context)
      records.set(key, record)
    }
    for (const { key, gone: _, ...record } of rows.filter((row) => !row.shared)) records.set(key, record)
  }
  return records
}

/**
 * PVE lists a storage on nodes that must not use it, as disabled. Without the configuration, a storage counts
 * as not for this node if another node may use it. A storage disabled everywhere is just disabled.
 */
function mayUse(
  settings: PveStorageConfig | undefined,
  view: StorageView,
  all: readonly StorageView[],
): boolean {
  if (settings) {
    const { nodes = [] } = settings
    return nodes.length === 0 || nodes.includes(view.node)
  }
  const isDisabled = view.reported?.row.enabled === false && !view.listed
  return !isDisabled || !all.some(({ listed, reported }) => listed || reported?.row.enabled)
}

/** The documented form. A node that is its own connection is named once. */
export const storageId = (instance: string, node: string, storage: string): string =>
  instance === node ? `${node}-${storage}` : `${instance}-${node}-${storage}`

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
  const hiddenSince = view.hidden ? Math.max(listed?.at ?? -Infinity, reported?.at ?? -Infinity) : undefined
  const stale = gone ? view.goneSince : (word.staleSince ?? hiddenSince)
  return {
    key: `${context.source}:${node}:${storage}`,
    gone: gone ?? false,
    id: storageId(context.instance, node, storage),
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
    ...serverOf(type, settings),
    source: context.source,
    ...(stale !== undefined && { staleSince: shownAt(stale, context) }),
  }
}

/**
 * Whether it can be used: by the node's own list while that is fresh, because the node queries the storage
 * itself, otherwise by the listing. If the listing omits it, its last figures stay and become stale.
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

/** The time when one of its facts becomes stale. */
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

/** The listing is newer. The node's report has the exact free space. Unknown if neither has a size. */
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

export function withUsage(total: number, used: number | undefined, avail: number | undefined): Figures {
  if (total <= 0) return {}
  if (used === undefined) return { total }
  const inUse = Math.min(used, total)
  const left = Math.min(avail ?? total - inUse, total)
  return { total, used: inUse, avail: left, free: left, usage: percentOf(inUse, total) }
}

/** The figures of the node that reports the highest usage. A node without access reports none. */
function collapse(storage: string, rows: readonly Row[], context: MapContext): Row {
  const fresh = rows.filter((row) => row.staleSince === undefined)
  const candidates = fresh.length > 0 ? fresh : rows
  const best = candidates.reduce((most, row) => ((row.used ?? -1) > (most.used ?? -1) ? row : most))
  const nodes = rows.map((row) => row.node).sort(compareNames)
  const active = candidates.some((row) => row.active)
  // A removed node is excluded, but not a node that no longer sees the storage.
  const inactiveOn = candidates.flatMap((row) => (row.active || row.gone || !row.enabled ? [] : [row.node]))
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
    ...(active && inactiveOn.length > 0 && { inactiveOn: inactiveOn.sort(compareNames) }),
    ...(fresh.length === 0 && best.staleSince !== undefined && { staleSince: best.staleSince }),
  }
}

/** The backup server of the storage, which Pulse may monitor too. */
const serverOf = (type: string, settings: PveStorageConfig | undefined): Pick<Storage, 'pbs'> =>
  type === 'pbs' && settings?.server && settings.datastore
    ? {
        pbs: {
          server: settings.server,
          datastore: settings.datastore,
          ...(settings.namespace && { namespace: settings.namespace }),
        },
      }
    : {}

const sortedList = (list: string | undefined) => (list ?? '').split(',').filter(Boolean).sort().join(',')
