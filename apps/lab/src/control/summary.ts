import type { Appliance } from '../appliance/appliance.ts'
import type { PbsCredentials } from '../pbs/draw.ts'
import type { PmgCredentials } from '../pmg/draw.ts'
import type { Credentials } from '../access/accounts.ts'
import type { DockerHostView } from '../docker/agents.ts'
import type { World } from '../world.ts'

export interface NodeView {
  name: string
  address: string
  port: number
  url: string
  /** SHA-256 of the certificate in use, `AA:BB:…`. */
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

interface ApplianceView<C> extends Omit<NodeView, 'guests'> {
  version: string
  credentials: C
}
export type PbsView = ApplianceView<PbsCredentials>
export type PmgView = ApplianceView<PmgCredentials>

export interface Summary {
  clusters: ClusterView[]
  pbs: PbsView[]
  pmg: PmgView[]
  docker: DockerHostView[]
  credentials: Credentials
}

export function summarise({ estate, pbs, pmg, docker, settings, credentials }: World): Summary {
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
  return {
    clusters,
    pbs: pbs.map((one) => viewOf(one.appliance, one.credentials)),
    pmg: pmg.map((one) => viewOf(one.appliance, one.credentials)),
    docker: docker.views(),
    credentials,
  }
}

const viewOf = <C>({ name, address, port, certificate, online, release }: Appliance, credentials: C) => ({
  name,
  address,
  port,
  url: `https://${address}:${port}`,
  fingerprint: certificate.fingerprint,
  online,
  version: release.version,
  credentials,
})
