import { noCertificate } from '../certificate.ts'
import type { Settings } from '../options.ts'
import { drawAccess } from '../access/accounts.ts'
import type { Credentials } from '../access/accounts.ts'
import { releases } from './release.ts'
import { dice, hash } from '../random.ts'
import { installCeph } from './ceph.ts'
import type { Cluster, Estate, Node } from './estate.ts'
import { drawDisks, drawPools } from './disks.ts'
import { drawGuest, firstVmid } from './guest.ts'
import { chooseHardware } from './hardware.ts'
import { clusterNames } from './names.ts'
import { drawStorages } from './storages.ts'

const daySeconds = 86_400

/** The initial estate. Addresses and certificates are set when the listeners open. */
export function buildEstate(settings: Settings, credentials: Credentials): Estate {
  const clusterCount = settings.standalone ? settings.nodes : settings.clusters
  const startedAtMs = settings.now()
  const clusters = Array.from({ length: clusterCount }, (_, index) => {
    const nodeCount = share(settings.nodes, clusterCount, index)
    const cluster = emptyCluster(settings, credentials, index, clusterCount)
    const firstNode = settings.standalone ? index + 1 : 1
    for (let nodeIndex = 0; nodeIndex < nodeCount; nodeIndex++) {
      cluster.nodes.push(drawNode(cluster, `pve${firstNode + nodeIndex}`, settings.seed, startedAtMs))
    }
    numberNodes(cluster)
    addGuests(cluster, share(settings.guests, clusterCount, index), settings.seed, startedAtMs)
    if (settings.ceph && index === 0) installCeph(cluster, settings.seed)
    cluster.storages = drawStorages(cluster, {
      seed: settings.seed,
      nightlyAtSeconds: settings.nightlyAtHour * 3600,
      index,
    })
    return cluster
  })
  return { seed: settings.seed, clusters }
}

/** Splits `total` into nearly equal whole numbers. */
function share(total: number, parts: number, index: number): number {
  return Math.floor((total * (index + 1)) / parts) - Math.floor((total * index) / parts)
}

function emptyCluster(settings: Settings, credentials: Credentials, index: number, count: number): Cluster {
  const major =
    settings.version === 'mixed-by-cluster' ? ([9, 8, 7] as const)[index % 3]! : toMajor(settings.version)
  const name = settings.standalone ? `pve${index + 1}` : clusterName(index, count)
  return {
    name,
    standalone: settings.standalone,
    release: releases[major],
    configVersion: dice(hash(`${settings.seed}/${name}`)).int(3, 30),
    quorate: true,
    nodes: [],
    guests: new Map(),
    storages: [],
    ceph: undefined,
    access: drawAccess(credentials, major),
    certificateAuthority: noCertificate,
    revision: 1,
  }
}

const toMajor = (version: '7' | '8' | '9'): 7 | 8 | 9 => (version === '7' ? 7 : version === '8' ? 8 : 9)

function clusterName(index: number, count: number): string {
  const round = Math.floor(index / clusterNames.length)
  const name = clusterNames[index % clusterNames.length]!
  return count > clusterNames.length ? `${name}${round + 1}` : name
}

function drawNode(cluster: Cluster, name: string, seed: number, startedAtMs: number): Node {
  const nodeSeed = hash(`${seed}/${cluster.name}/node/${name}`)
  const draw = dice(nodeSeed)
  return {
    name,
    nodeId: 0,
    address: '',
    online: true,
    seed: nodeSeed,
    cluster,
    hardware: chooseHardware(draw, 0),
    bootedAtMs: Math.floor(startedAtMs / 1000) * 1000 - draw.int(2 * daySeconds, 200 * daySeconds) * 1000,
    certificate: noCertificate,
    disks: [],
    pools: [],
    pins: {},
    reading: undefined,
  }
}

/** The order in which members joined differs from the order of their names. */
function numberNodes(cluster: Cluster): void {
  if (cluster.standalone) return
  const joined = cluster.nodes.toSorted((left, right) => left.seed - right.seed)
  for (const [index, node] of joined.entries()) node.nodeId = index + 1
}

function addGuests(cluster: Cluster, count: number, seed: number, startedAtMs: number): void {
  const { nodes } = cluster
  for (let index = 0; index < count; index++) {
    const node = nodes[(index + Math.floor(index / 3)) % nodes.length]!
    const guest = drawGuest({ vmid: firstVmid + index, index, node, seed, startedAtMs })
    // No guest runs longer than its host.
    guest.startedAtMs = Math.max(guest.startedAtMs, node.bootedAtMs + 60_000 + (guest.seed % 600) * 1000)
    cluster.guests.set(guest.vmid, guest)
  }
  for (const [nodeIndex, node] of nodes.entries()) {
    const running = [...cluster.guests.values()].filter(
      (guest) => guest.node === node && guest.status !== 'stopped',
    )
    const memBytes = running.reduce((sum, guest) => sum + guest.maxMemBytes, 0)
    node.hardware = chooseHardware(dice(node.seed ^ 1), memBytes)
    node.disks = drawDisks(dice(node.seed ^ 2), nodeIndex)
    node.pools = drawPools(dice(node.seed ^ 3), nodeIndex)
  }
}
