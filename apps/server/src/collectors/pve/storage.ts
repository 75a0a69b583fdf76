import type { Storage } from '@pulse/contract'
import { percentOf } from '@pulse/domain'
import { shown, type MapContext } from './map.ts'
import type { PveNodeStorage, PveStorageConfig, PveStorageEntry } from './schema.ts'

/** What is known of one storage as one node sees it. */
export interface StorageView {
  node: string
  /** the listing of all nodes, every 10 s; moments are monotonic */
  listed?: { entry: PveStorageEntry; at: number } | undefined
  /** the node's own list, every minute */
  reported?: { row: PveNodeStorage; at: number } | undefined
  /** when the node was last there, if it is not now */
  staleSince?: number | undefined
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
): Map<string, Storage> {
  const records = new Map<string, Storage>()
  for (const [storage, all] of views) {
    const settings = config?.get(storage)
    const rows = all
      .filter((view) => mayUse(settings, view.node))
      .map((view) => toRow(storage, view, settings, context))
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

/** PVE lists a storage on nodes that it is not for, as disabled. */
function mayUse(settings: PveStorageConfig | undefined, node: string): boolean {
  const nodes = (settings?.nodes ?? '').split(/[,;\s]+/).filter(Boolean)
  return nodes.length === 0 || nodes.includes(node)
}

function toRow(
  storage: string,
  view: StorageView,
  settings: PveStorageConfig | undefined,
  context: MapContext,
): Row {
  const { node, listed, reported } = view
  const row = reported?.row
  const entry = listed?.entry
  const type = row?.type ?? entry?.plugintype ?? settings?.type ?? ''
  const shared =
    (row?.shared ?? entry?.shared ?? false) || (settings?.shared ?? false) || sharedTypes.has(type)
  const enabled = !(settings?.disable ?? (row ? row.enabled === false : false))
  const active =
    enabled && view.staleSince === undefined && (row ? (row.active ?? false) : entry?.status === 'available')
  const stale = view.staleSince ?? context.staleSince
  return {
    key: `${context.source}:${node}:${storage}`,
    id: context.instance === node ? `${node}-${storage}` : `${context.instance}-${node}-${storage}`,
    instance: context.instance,
    node,
    storage,
    name: storage,
    type,
    content: sortedList(row?.content ?? entry?.content ?? settings?.content),
    status: statusWord({
      enabled,
      active,
      gone: view.staleSince !== undefined,
      own: row ? undefined : entry?.status,
    }),
    shared,
    enabled,
    active,
    ...figures(view),
    source: context.source,
    ...(stale !== undefined && { staleSince: shown(stale, context) }),
  }
}

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

/** The listing is fresher; the node's own report is exact about what is left. */
function figures({ listed, reported }: StorageView) {
  const { total = 0, used = 0, avail = 0 } = reported?.row ?? {}
  const newer =
    listed && listed.at > (reported?.at ?? -Infinity) && (listed.entry.maxdisk ?? 0) > 0
      ? listed.entry
      : undefined
  if (!newer) return withUsage(total, Math.min(used, total), Math.min(avail, total))
  const newTotal = newer.maxdisk ?? 0
  const newUsed = Math.min(newer.disk ?? 0, newTotal)
  const reserved = newTotal === total ? Math.max(0, total - used - avail) : 0
  return withUsage(newTotal, newUsed, Math.max(0, newTotal - newUsed - reserved))
}

const withUsage = (total: number, used: number, avail: number) => ({
  total,
  used,
  avail,
  free: avail,
  usage: percentOf(used, total),
})

/** The figures of the node that reports most in use; a node that cannot reach it reports nothing. */
function collapse(storage: string, rows: readonly Row[], context: MapContext): Row {
  const fresh = rows.filter((row) => row.staleSince === undefined)
  const candidates = fresh.length > 0 ? fresh : rows
  const best = candidates.reduce((most, row) => (row.used > most.used ? row : most))
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
