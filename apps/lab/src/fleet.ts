import type { Appliance } from './appliance/appliance.ts'
import { handleAppliance } from './appliance/handle.ts'
import { createAuthority, createNodeCertificate, createSelfSigned } from './certificate.ts'
import { touchCluster } from './estate/estate.ts'
import type { Node } from './estate/estate.ts'
import { createListener } from './listener.ts'
import type { Listener } from './listener.ts'
import { freeBlocks, isAddressInUse, nodeAddress } from './loopback.ts'
import { handle } from './pve/handle.ts'
import type { World } from './world.ts'

type Host = Node | Appliance

/** All listeners of all machines. */
export interface Fleet {
  setOnline(host: Host, online: boolean): Promise<void>
  renewCertificate(host: Host): Promise<string>
  close(): Promise<void>
}

export async function openFleet(world: World): Promise<Fleet> {
  const { settings, estate, appliances } = world
  const hosts = [...estate.clusters.flatMap((cluster) => cluster.nodes), ...appliances]
  await Promise.all(
    estate.clusters.map(async (cluster) => {
      cluster.certificateAuthority = await createAuthority(Date.now())
    }),
  )
  const listeners = await openSomewhere(
    world,
    hosts,
    settings.base === undefined ? freeBlocks() : [settings.base],
  )

  return {
    async setOnline(host, online) {
      if (host.online === online) return
      const listener = listeners.get(host)!
      if (online) await listener.open()
      host.online = online
      if ('cluster' in host) touchCluster(host.cluster)
      if (!online) await listener.close()
    },
    async renewCertificate(host) {
      host.certificate = await certificateFor(host)
      listeners.get(host)!.renew()
      return host.certificate.fingerprint
    },
    async close() {
      await Promise.all([...listeners.values()].map((listener) => listener.close()))
    },
  }
}

async function openSomewhere(
  world: World,
  hosts: readonly Host[],
  bases: Iterable<string>,
): Promise<Map<Host, Listener>> {
  let inUse: unknown
  for (const base of bases) {
    try {
      return await openAt(world, hosts, base)
    } catch (error) {
      if (!isAddressInUse(error)) throw error
      inUse = error
    }
  }
  throw new Error(`no free loopback addresses for port ${world.settings.port}`, { cause: inUse })
}

async function openAt(world: World, hosts: readonly Host[], base: string): Promise<Map<Host, Listener>> {
  const listeners = new Map<Host, Listener>()
  try {
    // Binds hosts in order, because a block in use fails at its first address.
    for (const [index, host] of hosts.entries()) {
      host.address = nodeAddress(base, index)
      host.certificate = await certificateFor(host)
      const listener = listenerFor(world, host)
      await listener.open()
      listeners.set(host, listener)
    }
    return listeners
  } catch (error) {
    await Promise.all([...listeners.values()].map((listener) => listener.close()))
    throw error
  }
}

function listenerFor(world: World, host: Host): Listener {
  const { port, idleCloseMs } = world.settings
  return 'cluster' in host
    ? createListener({
        machine: host,
        port,
        idleCloseMs,
        handle: (connection, request, response) => handle(world, host, connection, request, response),
      })
    : createListener({
        machine: host,
        port: host.port,
        idleCloseMs,
        handle: (connection, request, response) =>
          handleAppliance(world, host, connection, request, response),
      })
}

const certificateFor = (host: Host) =>
  'cluster' in host
    ? createNodeCertificate(host.name, host.address, host.cluster.certificateAuthority, Date.now())
    : createSelfSigned(host.name, host.address, host.product.title, Date.now())
