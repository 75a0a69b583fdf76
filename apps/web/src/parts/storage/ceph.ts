import type { CephCluster, Storage } from '@pulse/contract'
import type { LiveReader } from '../../live/store.ts'
import type { UiTone } from '../../ui/tone-class.ts'

const cephTypes: ReadonlySet<string> = new Set(['rbd', 'cephfs', 'ceph'])

export const isCeph = ({ type }: Pick<Storage, 'type'>): boolean => cephTypes.has(type)

/** Store id of the Ceph cluster behind a connection's storages. */
export function cephOf(live: LiveReader, { source, instance }: Pick<Storage, 'source' | 'instance'>) {
  for (const [id, cluster] of live.records('cephClusters')) {
    if (cluster.source === source || cluster.instances?.includes(instance)) return id
  }
  return undefined
}

export type CephTone = Extract<UiTone, 'green' | 'yellow' | 'red' | 'accent'>

/** HEALTH_OK, HEALTH_WARN or HEALTH_ERR; older versions report CRIT. Any other value is unknown. */
export function cephTone(health: string): CephTone {
  const word = health.toUpperCase()
  if (word.includes('OK')) return 'green'
  if (word.includes('WARN')) return 'yellow'
  return word.includes('ERR') || word.includes('CRIT') ? 'red' : 'accent'
}

/** Derived from the storages, because Ceph itself reported nothing. */
export const isDerived = ({ health }: Pick<CephCluster, 'health'>): boolean => cephTone(health) === 'accent'
