import { createAuthority, createNodeCertificate } from './certificate.ts'
import { touchCluster } from './estate/estate.ts'
import type { Node } from './estate/estate.ts'
import { freeBlocks, isAddressInUse, nodeAddress } from './loopback.ts'
import { createListener } from './pve/listener.ts'
import type { Listener } from './pve/listener.ts'
import type { World } from './world.ts'

/** All listeners of all nodes. */
export interface Fleet {
  setOnline(node: Node, online: boolean): Promise<void>
  renewCertificate(node: Node): Promise<string>
  close(): Promise<void>
}

export async function openFleet(world: World): Promise<Fleet> {
  const { settings, estate } = world
  const nodes = estate.clusters.flatMap((cluster) => cluster.nodes)
  await Promise.all(
    estate.clusters.map(async (cluster) => {
      cluster.certificateAuthority = await createAuthority(Date.now())
    }),
  )
  const listeners = await openSomewhere(
    world,
    nodes,
    settings.base === undefined ? freeBlocks() : [settings.base],
  )

  return {
    async setOnline(node, online) {
      if (node.online === online) return
      const listener = listeners.get(node)!
      if (online) await listener.open()
      node.online = online
      touchCluster(node.cluster)
      if (!online) await listener.close()
    },
    async renewCertificate(node) {
      node.certificate = await certificateFor(node)
      listeners.get(node)!.renew()
      return node.certificate.fingerprint
    },
    async close() {
      await Promise.all([...listeners.values()].map((listener) => listener.close()))
    },
  }
}

async function openSomewhere(
  world: World,
  nodes: readonly Node[],
  bases: Iterable<string>,
): Promise<Map<Node, Listener>> {
  let inUse: unknown
  for (const base of bases) {
    try {
      return await openAt(world, nodes, base)
    } catch (error) {
      if (!isAddressInUse(error)) throw error
      inUse = error
    }
  }
  throw new Error(`no free loopback addresses for port ${world.settings.port}`, { cause: inUse })
}

async function openAt(world: World, nodes: readonly Node[], base: string): Promise<Map<Node, Listener>> {
  const listeners = new Map<Node, Listener>()
  try {
    // One after the other: a block in use shows at its first address.
    for (const [index, node] of nodes.entries()) {
      node.address = nodeAddress(base, index)
      node.certificate = await certificateFor(node)
      const listener = createListener(world, node, world.settings.port)
      await listener.open()
      listeners.set(node, listener)
    }
    return listeners
  } catch (error) {
    await Promise.all([...listeners.values()].map((listener) => listener.close()))
    throw error
  }
}

const certificateFor = (node: Node) =>
  createNodeCertificate(node.name, node.address, node.cluster.certificateAuthority, Date.now())
