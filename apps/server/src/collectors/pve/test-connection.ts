import type { NodeTest } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { Permissions, Version } from '../proxmox/schema.ts'
import { timed, type Ask } from '../proxmox/test-connection.ts'
import { toSourceError } from '../source-error.ts'
import { readMembership, standalone, type Membership } from './membership.ts'
import { parts } from './parts.ts'
import type { Need } from '../part.ts'
import { missingRights, rightsOf } from '../proxmox/rights.ts'
import { PveNode, readList, readOne } from './schema.ts'

/** Whether it is a cluster, its size, and the missing rights of the account. */
export async function examine(
  ask: Ask,
  clock: Clock,
  needs: readonly Need[] = rightsOf(parts),
): Promise<NodeTest> {
  const { version, release } = readOne(Version, await ask('/version'), '/version')
  const { value, latency } = await timed(clock, () => ask('/nodes'))
  const nodes = readList(PveNode, value, '/nodes')
  const optional = <T>(asked: Promise<T>) => asked.catch(() => undefined)
  const [membership, granted] = await Promise.all([
    optional(ask('/cluster/status').then(readMembership, standaloneIfUnknown)),
    optional(ask('/access/permissions').then((data) => readOne(Permissions, data, '/access/permissions'))),
  ])
  const warnings = granted ? missingRights(granted, needs) : []
  const isCluster = whetherCluster(membership, nodes.length)
  return {
    status: 'success',
    message: successMessage(isCluster ?? false, warnings.length),
    ...(isCluster !== undefined && { isCluster }),
    ...nameOf(membership, nodes),
    ...clusterFields(membership),
    nodeCount: nodes.length,
    ...(version !== undefined && { version }),
    ...(release !== undefined && { release }),
    latency,
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Hosts without cluster support do not have this call. */
function standaloneIfUnknown(cause: unknown): Membership {
  if (toSourceError(cause).code === 'unsupported') return standalone
  throw cause
}

/** Returns undefined if the account may not ask and the number of nodes does not show it. */
function whetherCluster(membership: Membership | undefined, nodes: number): boolean | undefined {
  if (membership) return membership.clusterName !== undefined
  return nodes > 1 ? true : undefined
}

function successMessage(isCluster: boolean, warnings: number): string {
  if (isCluster) return 'Cluster detected! All cluster nodes will be automatically added.'
  return warnings > 0 ? 'Connection successful, but some rights are missing' : 'Connection successful'
}

function clusterFields(membership: Membership | undefined) {
  if (membership?.clusterName === undefined) return {}
  return { clusterName: membership.clusterName, clusterNodeCount: membership.members.length }
}

/** The name of the node that answered. */
function nameOf(membership: Membership | undefined, nodes: readonly PveNode[]): Pick<NodeTest, 'name'> {
  const name = membership?.local ?? (nodes.length === 1 ? nodes[0]!.node : undefined)
  return name === undefined ? {} : { name }
}
