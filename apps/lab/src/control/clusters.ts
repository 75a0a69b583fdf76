import { touchCluster } from '../estate/estate.ts'
import type { CephPins, Cluster, Node, PoolPins, Storage } from '../estate/estate.ts'
import type { Fleet } from '../fleet.ts'
import { newToken } from '../access/accounts.ts'
import { replicationsIn } from '../pve/replication.ts'
import type { World } from '../world.ts'
import {
  aFlag,
  aListOfTexts,
  aNumber,
  aText,
  anInteger,
  anObject,
  anything,
  check,
  ControlError,
  orNull,
} from './check.ts'
import { findCluster, findNode, findStorage, locateNode } from './find.ts'

export interface NodePatch {
  online?: boolean
  /** Fraction; pinned until `null`, like all figures. */
  cpu?: number | null
  /** Bytes. */
  memUsed?: number | null
  /** Bytes on the root filesystem. */
  diskUsed?: number | null
  /** Seconds since boot. */
  uptime?: number
  /** By name: the health (ONLINE, DEGRADED, FAULTED, …) or all other pinned values. */
  pools?: Record<string, string | PoolPins>
  /** By device path. */
  disks?: Record<string, DiskPatch>
  /** By job id: the error; `null`: the job works again. */
  replication?: Record<string, string | null>
}

export interface DiskPatch {
  health?: string
  /** As in PVE's answer: a number, a text, `N/A`, `null`. */
  wearout?: number | string | null
  temperatureCelsius?: number
  model?: string
}

export interface StoragePatch {
  /** Limits figures to that node. By default, figures of a shared storage apply on all nodes. */
  node?: string
  /** Bytes; pinned until `null`, like all figures. */
  used?: number | null
  total?: number | null
  active?: boolean | null
  enabled?: boolean
}

export interface ClusterPatch {
  quorate?: boolean
  /** Only where Ceph is installed; `null` restores the initial state. */
  ceph?: CephPins | null
}

export interface TokenPatch {
  /** Revoked privileges: `["*"]` for all, `[]` for none; `Datastore.Audit@/storage/nas` only at a path. */
  drop?: string[]
  enabled?: boolean
}

export interface ClusterControl {
  patchNode(name: string, patch: NodePatch, cluster?: string): Promise<void>
  /** Returns the new fingerprint. */
  renewCertificate(name: string, cluster?: string): Promise<string>
  patchStorage(name: string, patch: StoragePatch, cluster?: string): void
  patchCluster(patch: ClusterPatch, cluster?: string): void
  /** In all clusters unless one is named. */
  patchToken(tokenId: string, patch: TokenPatch, cluster?: string): void
  /** As `pveum user token add`, with the rights of the token's user. */
  addToken(tokenId: string, secret: string, cluster?: string): void
}

export function createClusterControl(world: World, fleet: Fleet): ClusterControl {
  const { estate, readings } = world
  return {
    async patchNode(name, patch, cluster) {
      const node = locateNode(estate, name, cluster)
      check<NodePatch>('node', patch, {
        online: aFlag,
        cpu: orNull(aNumber(0, 1)),
        memUsed: orNull(anInteger(0)),
        diskUsed: orNull(anInteger(0)),
        uptime: anInteger(0),
        pools: anObject,
        disks: anObject,
        replication: anObject,
      })
      pinNode(node, patch)
      setHealth(node, patch)
      if (patch.uptime !== undefined) node.bootedAtMs = readings.atMs() - patch.uptime * 1000
      touchCluster(node.cluster)
      if (patch.online !== undefined) await fleet.setOnline(node, patch.online)
    },
    renewCertificate: (name, cluster) => fleet.renewCertificate(locateNode(estate, name, cluster)),
    patchStorage(name, patch, clusterName) {
      const cluster = findCluster(estate, clusterName)
      const storage = findStorage(cluster, name)
      check<StoragePatch>('storage', patch, {
        node: aText,
        used: orNull(anInteger(0)),
        total: orNull(anInteger(0)),
        active: orNull(aFlag),
        enabled: aFlag,
      })
      const nodes = patch.node === undefined ? cluster.nodes : [findNode(cluster, patch.node)]
      for (const node of nodes) pinStorage(storage, node, patch)
      if (patch.enabled !== undefined) storage.disabled = !patch.enabled
      touchCluster(cluster)
    },
    patchCluster(patch, clusterName) {
      const cluster = findCluster(estate, clusterName)
      const { quorate, ceph } = check<ClusterPatch>('cluster', patch, {
        quorate: aFlag,
        ceph: orNull(anObject),
      })
      if (quorate !== undefined) cluster.quorate = quorate
      if (ceph !== undefined) pinCeph(cluster, ceph ?? {})
      touchCluster(cluster)
    },
    patchToken(tokenId, patch, clusterName) {
      const clusters = clusterName === undefined ? estate.clusters : [findCluster(estate, clusterName)]
      checkTokenPatch(patch)
      for (const { access } of clusters) {
        const token = access.tokens.get(tokenId)
        if (!token) throw new ControlError(404, `no token ${tokenId}`)
        if (patch.drop) token.dropped = new Set(patch.drop)
        if (patch.enabled !== undefined) token.enabled = patch.enabled
      }
    },
    addToken(tokenId, secret, clusterName) {
      const clusters = clusterName === undefined ? estate.clusters : [findCluster(estate, clusterName)]
      for (const { access } of clusters) {
        if (!access.users.has(tokenId.split('!')[0]!)) throw new ControlError(404, `no user of ${tokenId}`)
        access.tokens.set(tokenId, newToken({ tokenId, tokenSecret: secret }))
      }
    },
  }
}

export const checkTokenPatch = (patch: unknown): TokenPatch =>
  check<TokenPatch>('token', patch, { drop: aListOfTexts, enabled: aFlag })

function setHealth(node: Node, { pools = {}, disks = {}, replication = {} }: NodePatch): void {
  for (const [name, health] of Object.entries(pools)) {
    if (!node.pools.some((one) => one.name === name)) {
      throw new ControlError(404, `no pool ${name} on ${node.name}`)
    }
    const pins = typeof health === 'string' ? { health } : check<PoolPins>('pool', health, poolRules)
    node.pins.pools = { ...node.pins.pools, [name]: pins }
  }
  for (const [devpath, state] of Object.entries(disks)) {
    if (!node.disks.some((one) => one.devpath === devpath)) {
      throw new ControlError(404, `no disk ${devpath} on ${node.name}`)
    }
    const pins = { ...node.pins.disks?.[devpath], ...check<DiskPatch>('disk', state, diskRules) }
    node.pins.disks = { ...node.pins.disks, [devpath]: pins }
  }
  for (const [id, error] of Object.entries(replication)) {
    const known = replicationsIn(node.cluster).filter(({ guest }) => guest.node === node)
    if (!known.some((one) => one.id === id)) {
      const ids = known.map((one) => one.id).join(', ')
      throw new ControlError(404, `no replication ${id} on ${node.name}; there is ${ids || 'none'}`)
    }
    const { [id]: _, ...others } = node.pins.replication ?? {}
    node.pins.replication = error === null ? others : { ...others, [id]: error }
  }
}

const poolRules = { health: aText, errors: aText, scan: aText, devices: anObject }
const diskRules = { health: aText, wearout: anything, temperatureCelsius: aNumber(-40, 200), model: aText }

function pinCeph({ name, ceph }: Cluster, pins: CephPins): void {
  if (!ceph) throw new ControlError(409, `${name} has no Ceph; start the lab with ceph`)
  ceph.pins = check<CephPins>('ceph', pins, { checks: anObject, downOsds: anything, used: aNumber(0, 1) })
}

function pinNode(node: Node, patch: NodePatch): void {
  for (const pin of ['cpu', 'memUsed', 'diskUsed'] as const) {
    const value = patch[pin]
    if (value === null) delete node.pins[pin]
    else if (value !== undefined) node.pins[pin] = value
  }
}

function pinStorage(storage: Storage, node: Node, patch: StoragePatch): void {
  const pins = storage.pins.get(node.name) ?? {}
  storage.pins.set(node.name, pins)
  if (patch.used === null) delete pins.usedBytes
  else if (patch.used !== undefined) pins.usedBytes = patch.used
  if (patch.total === null) delete pins.totalBytes
  else if (patch.total !== undefined) pins.totalBytes = patch.total
  if (patch.active === null) delete pins.active
  else if (patch.active !== undefined) pins.active = patch.active
}
