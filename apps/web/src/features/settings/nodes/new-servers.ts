import type { DiscoveredServer, NodeConfig, SourceKind } from '@pulse/contract'
import { addressOf, normalAddress } from './node-form.ts'

/** What was found of one kind and is not watched yet, neither by its address nor by its name. */
export function newServers(
  kind: SourceKind,
  servers: readonly DiscoveredServer[],
  nodes: readonly NodeConfig[],
): DiscoveredServer[] {
  const watched = new Set(nodes.filter(({ type }) => type === kind).flatMap((node) => addressesOf(node)))
  return servers.filter(({ type, ip, port, hostname }) => {
    if (type !== kind) return false
    const names = hostname ? [ip, hostname] : [ip]
    return !names.some((name) => watched.has(addressOf({ ip: name, port })))
  })
}

function addressesOf({ type, host, clusterEndpoints = [] }: NodeConfig): string[] {
  const own = normalAddress(host, type)
  if (own === undefined) return []
  const port = Number(/:(\d+)$/.exec(own)![1])
  return [own, ...clusterEndpoints.map(({ IP }) => addressOf({ ip: IP, port }))]
}
