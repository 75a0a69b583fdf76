import { compareNames } from '@pulse/domain'
import type { ClusterEndpoint } from '@pulse/contract'
import { isIP } from 'node:net'
import { PveClusterEntry, readList } from './schema.ts'

export interface Member {
  name: string
  id: number
  address: string | undefined
  online: boolean
}

export interface Membership {
  /** absent for a standalone host */
  clusterName: string | undefined
  quorate: boolean
  members: Member[]
  /** the node that answered */
  local: string | undefined
}

/** A host outside a cluster. */
export const standalone: Membership = {
  clusterName: undefined,
  quorate: true,
  members: [],
  local: undefined,
}

/** PVE lists only members as nodes, but a quorum device may appear as a line without a name. */
export function readMembership(data: unknown): Membership {
  const entries = readList(PveClusterEntry, data, '/cluster/status')
  const cluster = entries.find((entry) => entry.type === 'cluster')
  const nodes = entries.filter((entry) => entry.type === 'node' && isNodeName(entry.name))
  return {
    clusterName: cluster && (cluster.name || 'Unknown Cluster'),
    quorate: cluster?.quorate ?? true,
    members: nodes
      .map((entry) => ({
        name: entry.name!,
        id: entry.nodeid ?? 0,
        address: isAddress(entry.ip) ? entry.ip : undefined,
        online: entry.online ?? true,
      }))
      .sort((a, b) => compareNames(a.name, b.name)),
    local: nodes.find((entry) => entry.local)?.name,
  }
}

export const PVE_PORT = 8006

/** The URL of a member's own web interface. */
export const memberUrl = (address: string): string =>
  `https://${address.includes(':') ? `[${address}]` : address}:${PVE_PORT}`

/** The stored form. A standalone host has no members to store. */
export function toClusterEndpoints(
  { clusterName, members }: Membership,
  seen: (node: string) => number | undefined,
): ClusterEndpoint[] {
  if (clusterName === undefined) return []
  return members.map((member) => {
    const seenAt = seen(member.name)
    return {
      NodeID: String(member.id),
      NodeName: member.name,
      Host: memberUrl(member.address ?? member.name),
      IP: member.address ?? '',
      Online: member.online,
      ...(seenAt !== undefined && { LastSeen: new Date(seenAt).toISOString() }),
    }
  })
}

/** Whether the stored cluster data is still current. */
export function isSameCluster(a: ClusterEndpoint[], b: ClusterEndpoint[]): boolean {
  const key = (list: ClusterEndpoint[]) =>
    JSON.stringify(list.map(({ NodeID, NodeName, Host, IP, Online }) => [NodeID, NodeName, Host, IP, Online]))
  return key(a) === key(b)
}

const isNodeName = (name: string | undefined) =>
  name !== undefined && /^[A-Za-z0-9][A-Za-z0-9.-]{0,62}$/.test(name)
const isAddress = (address: string | undefined) =>
  address !== undefined && isIP(address) !== 0 && !address.includes('%')
