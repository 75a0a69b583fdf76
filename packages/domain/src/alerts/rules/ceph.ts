import type { CephCluster } from '@pulse/contract'
import { judged } from '../condition.ts'
import type { Rule, Subject } from '../judging.ts'

const health: Rule<CephCluster> = {
  name: 'ceph-health',
  judge({ name, health: word, healthMessage }, on) {
    const isBad = word === 'HEALTH_WARN' || word === 'HEALTH_ERR'
    if (!isBad && !on.isWatched) return
    const isKnown = isBad || word === 'HEALTH_OK'
    on.emit({
      id: `ceph-health-${on.record}`,
      type: 'ceph-health',
      ...judged(isBad, isKnown ? undefined : 'Its health is not known.'),
      level: word === 'HEALTH_ERR' ? 'critical' : 'warning',
      message: `Ceph cluster ${name} reports ${word}${healthMessage ? `: ${healthMessage}` : ''}`,
    })
  },
}

export const ceph: Subject<'cephClusters'> = {
  kind: 'cephClusters',
  settings: 'cephClusters',
  resource: ({ id, name, instance }) => ({ id, name, node: '', instance, type: 'Ceph' }),
  rules: [health],
}
