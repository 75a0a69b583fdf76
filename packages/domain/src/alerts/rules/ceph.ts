import type { CephCluster } from '@pulse/contract'
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
      verdict: isBad ? 'bad' : isKnown ? 'fine' : 'held',
      reason: isKnown ? undefined : 'Its health is not known.',
      resource: on.resource,
      value: 0,
      threshold: 0,
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
