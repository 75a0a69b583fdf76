import type { CephCluster } from '@pulse/contract'
import { percentOf } from '@pulse/domain'
import { cutText } from '../proxmox/schema.ts'
import { shownAt } from '../publish-source.ts'
import type { MapContext } from './map.ts'
import type { PveStorageEntry } from './schema.ts'
import type { PveCephPool, PveCephStatus } from './schema-disks.ts'

const mostPools = 200
const mostServices = 50
const longestMessage = 1_000

export interface CephPools {
  list: readonly PveCephPool[]
  /** monotonic */
  at: number
}

export function toCeph(
  status: PveCephStatus,
  pools: CephPools | undefined,
  at: number,
  context: MapContext,
  isOld: boolean,
): CephCluster {
  const { fsid, health, pgmap, monmap, mgrmap } = status
  // Up to Nautilus the map is nested in another one of the same name.
  const osds = status.osdmap?.osdmap ?? status.osdmap
  const {
    bytes_total: totalBytes = 0,
    bytes_used: usedBytes = 0,
    bytes_avail: availableBytes = 0,
  } = pgmap ?? {}
  const words = [
    ...(health?.summary?.map(({ summary, message }) => summary ?? message) ?? []),
    ...(health?.checks ?? []),
  ].filter(Boolean)
  const services = servicesOf(status.servicemap?.services)
  return {
    id: fsid ? `${context.instance}-${fsid}` : context.instance,
    instance: context.instance,
    name: 'Ceph',
    ...(fsid && { fsid }),
    health: health?.status ?? 'HEALTH_UNKNOWN',
    ...(words.length > 0 && { healthMessage: cutText(words.join('; '), longestMessage) }),
    totalBytes,
    usedBytes,
    availableBytes,
    usagePercent: percentOf(usedBytes, totalBytes),
    numMons: Math.max(monmap?.num_mons ?? 0, monmap?.mons ?? 0, status.quorum_names ?? 0),
    numMgrs: (mgrmap?.active_name ? 1 : 0) + Math.max(mgrmap?.standbys ?? 0, mgrmap?.num_standbys ?? 0),
    numOsds: osds?.num_osds ?? 0,
    numOsdsUp: osds?.num_up_osds ?? 0,
    numOsdsIn: osds?.num_in_osds ?? 0,
    numPGs: pgmap?.num_pgs ?? 0,
    ...(pools && { pools: pools.list.slice(0, mostPools).map((pool) => toPool(pool, availableBytes)) }),
    ...(services.length > 0 && { services }),
    lastUpdated: shownAt(at, context),
    source: context.source,
    ...(isOld && { staleSince: shownAt(at, context) }),
  }
}

/** A pool's free space follows from its usage. An empty pool gets its share of the whole. */
function toPool(pool: PveCephPool, availableBytes: number): NonNullable<CephCluster['pools']>[number] {
  const { bytes_used: storedBytes = 0, percent_used: share = 0, size = 1 } = pool
  const left =
    share > 0 && share <= 1 ? (storedBytes * (1 - share)) / share : availableBytes / Math.max(1, size)
  return {
    id: pool.pool ?? -1,
    name: pool.pool_name ?? '',
    storedBytes,
    availableBytes: Math.max(0, Math.round(left)),
    objects: 0,
    percentUsed: Math.min(100, Math.max(0, share * 100)),
  }
}

/** Daemons by type of service. A group also contains a summary, which is text. */
function servicesOf(value: unknown): NonNullable<CephCluster['services']> {
  if (!isObject(value)) return []
  const services = Object.entries(value).slice(0, mostServices)
  return services.flatMap(([type, service]) => {
    const daemons = isObject(service) && isObject(service['daemons']) ? service['daemons'] : {}
    const all = Object.entries(daemons).filter(([, daemon]) => isObject(daemon)) as [
      string,
      Record<string, unknown>,
    ][]
    if (all.length === 0) return []
    const off = all.filter(
      ([, { status }]) => typeof status === 'string' && !/^(running|active|up)/i.test(status),
    )
    return [
      {
        type: cutText(type, 100),
        running: all.length - off.length,
        total: all.length,
        ...(off.length > 0 && {
          message: cutText(`Offline: ${off.map(([name]) => name).join(', ')}`, longestMessage),
        }),
      },
    ]
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** [spec 1 §3] If Ceph itself does not answer: figures from the storages on it, with unknown health. */
export function derivedCeph(
  entries: readonly PveStorageEntry[],
  nodes: number,
  at: number,
  context: MapContext,
): CephCluster {
  const byStorage = new Map(entries.map((entry) => [entry.storage, entry]))
  const storages = [...byStorage.values()].filter(({ maxdisk = 0 }) => maxdisk > 0)
  // Each pool reports the common free space and its own usage.
  const usedBytes = storages.reduce((sum, { disk = 0 }) => sum + disk, 0)
  const availableBytes = Math.max(0, ...storages.map(({ disk = 0, maxdisk = 0 }) => maxdisk - disk))
  const totalBytes = usedBytes + availableBytes
  const osds = 2 * byStorage.size
  return {
    id: context.instance,
    instance: context.instance,
    name: 'Ceph',
    health: 'HEALTH_UNKNOWN',
    healthMessage: 'Derived from storage metrics: live telemetry is unavailable',
    totalBytes,
    usedBytes,
    availableBytes,
    usagePercent: percentOf(usedBytes, totalBytes),
    numMons: Math.min(3, Math.max(1, nodes)),
    numMgrs: 1,
    numOsds: osds,
    numOsdsUp: osds,
    numOsdsIn: osds,
    numPGs: 128 * byStorage.size,
    lastUpdated: shownAt(at, context),
    source: context.source,
  }
}
