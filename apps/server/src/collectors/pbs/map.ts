import type { NodeTest } from '@pulse/contract'
import { lackingOf } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'
import type { Need } from '../part.ts'

/** The rights that the account needs. */
export const needs: readonly Need[] = [
  {
    path: '/datastore',
    rights: ['Datastore.Audit', 'Datastore.Modify'],
    called: 'Datastore.Audit',
    dark: 'datastores and backups will not appear',
  },
  {
    path: '/system',
    rights: ['Sys.Audit', 'Sys.Modify'],
    called: 'Sys.Audit',
    dark: 'processor, memory and tasks stay unknown',
  },
]

interface VersionAnswer {
  version?: string | undefined
  release?: string | undefined
}

/** PBS reports major and minor as its version, and the patch level as its release. */
export function fullVersion({ version, release }: VersionAnswer): string | undefined {
  return version !== undefined && release !== undefined && /^\d+\.\d+$/.test(version) && /^\d+$/.test(release)
    ? `${version}.${release}`
    : version
}

export function toNodeTest({
  version,
  nodes,
  datastores,
  granted,
  latency,
}: {
  version: VersionAnswer
  /** absent if the account may not list them */
  nodes: readonly unknown[] | undefined
  datastores: readonly unknown[] | undefined
  granted: Permissions | undefined
  latency: number
}): NodeTest {
  const full = fullVersion(version)
  const warnings = granted ? lackingOf(granted, needs) : []
  return {
    status: 'success',
    message:
      warnings.length > 0 ? 'Connection successful, but some rights are missing' : 'Connection successful',
    isCluster: false,
    ...(nodes && { nodeCount: nodes.length }),
    ...(datastores && { datastoreCount: datastores.length }),
    ...(full !== undefined && { version: full }),
    ...(version.release !== undefined && { release: version.release }),
    latency,
    ...(warnings.length > 0 && { warnings }),
  }
}
