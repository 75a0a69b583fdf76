import type { CephCluster, RecordKind } from '@pulse/contract'
import { compareNames } from '../compare-names.ts'
import { freshest, type Join } from '../state/claims.ts'
import { backupsOnce } from './backups-once.ts'
import type { Derivation } from './derivation.ts'
import { forecasts, withGuestForecasts } from './forecasts.ts'
import { nodeTemperature } from './node-temperature.ts'
import { protection } from './protection.ts'

/**
 * Ceph clusters are keyed by their fsid. Several connections may report one cluster; its record names them
 * all.
 */
const cephByFsid: Join = (claims) => {
  const names = claims.map(({ record }) => (record as CephCluster).instance)
  return { ...(freshest(claims) as CephCluster), instances: [...new Set(names)].sort(compareNames) }
}

/** Derivations across sources. Each one comes after those that it reads. */
export const derivations = (): readonly Derivation[] => [
  nodeTemperature(),
  backupsOnce(),
  withGuestForecasts(protection()),
  forecasts('storage', 'datastores', 'cephClusters'),
]

/** Merges all claims of a record. */
export const joins: Partial<Record<RecordKind, Join>> = { cephClusters: cephByFsid }
