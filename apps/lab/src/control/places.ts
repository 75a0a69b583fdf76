import { touchCluster } from '../estate/estate.ts'
import type { Node, Storage } from '../estate/estate.ts'
import type { Fleet } from '../fleet.ts'
import { newToken } from '../access/accounts.ts'
import type { World } from '../world.ts'
import {
  aFlag,
  aListOfTexts,
  aNumber,
  aText,
  anInteger,
  anObject,
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
  /** Health by pool name: ONLINE, DEGRADED, FAULTED, … */
  pools?: Record<string, string>
  /** By device path. */
  disks?: Record<string, { health?: string; wearout?: number | 'N/A' }>
}

export interface StoragePatch {
  /** For figures: on that node only. A shared storage takes them everywhere by default. */
  node?: string
  /** Bytes; pinned until `null`, like all figures. */
  used?: number | null
  total?: number | null
  active?: boolean | null
  enabled?: boolean
}

export interface ClusterPatch {
  quorate?: boolean
}

export interface TokenPatch {
  /** Privileges that it loses, `["*"]` for all, `[]` to give them back. */
  drop?: string[]
  enabled?: boolean
}

export interface PlaceControl {
  patchNode(name: string, patch: NodePatch, cluster?: string): Promise<void>
  /** Returns the new fingerprint. */
  renewCertificate(name: string, cluster?: string): Promise<string>
  patchStorage(name: string, patch: StoragePatch, cluster?: string): void
  patchCluster(patch: ClusterPatch, cluster?: string): void
  /** In all clusters unless one is named. */
  patchToken(tokenId: string, patch: TokenPatch, cluster?: string): void
  /** As `pveum user token add` does, with the rights of its user. */
  addToken(tokenId: string, secret: string, cluster?: string): void
}

export function createPlaceControl(world: World, fleet: Fleet): PlaceControl {
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
      const { quorate } = check<ClusterPatch>('cluster', patch, { quorate: aFlag })
      if (quorate !== undefined) cluster.quorate = quorate
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

function setHealth(node: Node, { pools = {}, disks = {} }: NodePatch): void {
  for (const [name, health] of Object.entries(pools)) {
    const pool = node.pools.find((one) => one.name === name)
    if (!pool) throw new ControlError(404, `no pool ${name} on ${node.name}`)
    pool.health = health
  }
  for (const [devpath, state] of Object.entries(disks)) {
    const disk = node.disks.find((one) => one.devpath === devpath)
    if (!disk) throw new ControlError(404, `no disk ${devpath} on ${node.name}`)
    disk.health = state.health ?? disk.health
    disk.wearout = state.wearout ?? disk.wearout
  }
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
