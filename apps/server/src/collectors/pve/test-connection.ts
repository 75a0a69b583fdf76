import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { Permissions, Version } from '../proxmox/schema.ts'
import { timed, type Ask } from '../proxmox/test-connection.ts'
import { readMembership, type Membership } from './membership.ts'
import { missingRights } from './rights.ts'
import { PveNode, readList, readOne } from './schema.ts'

/** Whether it is a cluster, how large, and what the account may not see. */
export async function examine(ask: Ask, clock: Clock): Promise<NodeTest> {
  const { version, release } = readOne(Version, await ask('/version'), '/version')
  const { value, latency } = await timed(clock, () => ask('/nodes'))
  const nodes = readList(PveNode, value, '/nodes')
  const optional = <T>(asked: Promise<T>) => asked.catch(() => undefined)
  const [membership, granted] = await Promise.all([
    optional(ask('/cluster/status').then(readMembership)),
    optional(ask('/access/permissions').then((data) => readOne(Permissions, data, '/access/permissions'))),
  ])
  const warnings = granted ? missingRights(granted) : []
  const isCluster = membership?.clusterName !== undefined
  return {
    status: 'success',
    message: successMessage(isCluster, warnings.length),
    isCluster,
    ...clusterFields(membership),
    nodeCount: nodes.length,
    ...(version !== undefined && { version }),
    ...(release !== undefined && { release }),
    latency,
    ...(warnings.length > 0 && { warnings }),
  }
}

function successMessage(isCluster: boolean, warnings: number): string {
  if (isCluster) return 'Cluster detected! All cluster nodes will be automatically added.'
  return warnings > 0 ? 'Connection successful, but some rights are missing' : 'Connection successful'
}

function clusterFields(membership: Membership | undefined) {
  if (membership?.clusterName === undefined) return {}
  return { clusterName: membership.clusterName, clusterNodeCount: membership.members.length }
}
