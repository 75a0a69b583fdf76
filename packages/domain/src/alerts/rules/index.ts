import type { RecordKind } from '@pulse/contract'
import type { Subject } from '../judging.ts'
import { protections, snapshots } from './ages.ts'
import { ceph } from './ceph.ts'
import { datastores } from './datastore.ts'
import { disks } from './disk.ts'
import { containers } from './docker-container.ts'
import { guests } from './guest.ts'
import { nodes } from './node.ts'
import { pbsServers } from './pbs.ts'
import { gatewayBackups, gateways } from './pmg.ts'
import { sources } from './source.ts'
import { storages } from './storage.ts'

/**
 * All subjects. Sources and nodes come first, because their offline alert replaces the alerts of their parts.
 */
export const subjects = [
  sources,
  nodes,
  guests,
  storages,
  datastores,
  disks,
  ceph,
  pbsServers,
  gateways,
  gatewayBackups,
  containers,
  snapshots,
  protections,
] as unknown as readonly Subject<RecordKind>[]
