import type { Node, NodeConfig } from '@pulse/contract'
import { createHash } from 'node:crypto'
import { isHostName, isSshAddress } from './names.ts'

/** A node whose temperature Pulse may read: only a member of a configured connection. */
export interface Target {
  connectionId: string
  instance: string
  node: string
  /** the node's own; undefined until it is known, because any node may have the cluster's shared address */
  address: string | undefined
}

export function targetsOf(connections: readonly NodeConfig[], nodes: Iterable<Node>): Target[] {
  const all = [...nodes]
  return connections.flatMap((connection) => {
    if (connection.type !== 'pve') return []
    const found = members(connection) ?? standalone(connection, all)
    return found
      .filter(({ node }) => isHostName(node))
      .map(({ node, address }) => ({
        connectionId: connection.id,
        instance: connection.name,
        node,
        address: address !== undefined && isSshAddress(address) ? address : undefined,
      }))
  })
}

type Found = { node: string; address: string | undefined }[]

function members({ clusterEndpoints }: NodeConfig): Found | undefined {
  if (!clusterEndpoints || clusterEndpoints.length === 0) return undefined
  return clusterEndpoints.map(({ NodeName, IP }) => ({ node: NodeName, address: IP || undefined }))
}

/** A host outside a cluster has the entered address. */
function standalone({ id, host }: NodeConfig, nodes: readonly Node[]): Found {
  const own = nodes.filter(({ source }) => source === id)
  const address = own.length === 1 ? new URL(host).hostname.replace(/^\[|\]$/g, '') : undefined
  return own.map(({ node }) => ({ node, address }))
}

/** The name under which its host key is stored. It is a hash, so that no host name becomes part of it. */
export const aliasOf = ({ connectionId, node }: Pick<Target, 'connectionId' | 'node'>): string =>
  `pulse-${createHash('sha256').update(`${connectionId}\n${node}`).digest('hex').slice(0, 32)}`
