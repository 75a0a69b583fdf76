import type { Credentials } from '../pve/accounts.ts'
import type { World } from '../world.ts'

export interface NodeView {
  name: string
  address: string
  port: number
  url: string
  /** SHA-256 of the certificate it shows, `AA:BB:…`. */
  fingerprint: string
  online: boolean
  guests: number
}

export interface ClusterView {
  name: string
  standalone: boolean
  version: string
  quorate: boolean
  nodes: NodeView[]
}

export interface Summary {
  clusters: ClusterView[]
  credentials: Credentials
}

export function summarise({ estate, settings, credentials }: World): Summary {
  const clusters = estate.clusters.map((cluster) => {
    const guests = Map.groupBy(cluster.guests.values(), (guest) => guest.node)
    return {
      name: cluster.name,
      standalone: cluster.standalone,
      version: cluster.release.version,
      quorate: cluster.quorate,
      nodes: cluster.nodes.map((node) => ({
        name: node.name,
        address: node.address,
        port: settings.port,
        url: `https://${node.address}:${settings.port}`,
        fingerprint: node.certificate.fingerprint,
        online: node.online,
        guests: guests.get(node)?.length ?? 0,
      })),
    }
  })
  return { clusters, credentials }
}
