import type { CephCluster, RecordKind } from '@pulse/contract'
import { compareNames } from '../compare-names.ts'
import { freshest, type Join } from '../state/claims.ts'
import { backupsOnce } from './backups-once.ts'
import type { Derivation } from './derivation.ts'
import { nodeTemperature } from './node-temperature.ts'
import { protection } from './protection.ts'

/** Ceph clusters are keyed by their fsid: what several connections see is one cluster, which names them all. */
const cephByFsid: Join = (claims) => {
  const names = claims.map(({ record }) => (record as CephCluster).instance)
  return { ...(freshest(claims) as CephCluster), instances: [...new Set(names)].sort(compareNames) }
}

/** What is joined across sources. What one reads of another stands behind it. */
export const derivations = (): readonly Derivation[] => [nodeTemperature(), backupsOnce(), protection()]

/** What all claims of one record are taken into. */
export const joins: Partial<Record<RecordKind, Join>> = { cephClusters: cephByFsid }
