import { compareNames } from '../compare-names.ts'
import type { CephCluster } from '@pulse/contract'
import { freshest, type Join } from '../state/claims.ts'

/** Ceph clusters are keyed by their fsid: what several connections see is one cluster, which names them all. */
export const cephByFsid: Join = (claims) => {
  const names = claims.map(({ record }) => (record as CephCluster).instance)
  return { ...(freshest(claims) as CephCluster), instances: [...new Set(names)].sort(compareNames) }
}
