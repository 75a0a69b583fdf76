import type { Alert } from '@pulse/contract'
import { hasFigure } from './text.ts'

/** What quiet hours can silence of critical alerts, each by a switch of its own. */
export type AlertCategory = 'performance' | 'storage' | 'offline'

const storage = [
  'usage',
  'disk-health',
  'disk-wearout',
  'zfs-pool-state',
  'zfs-pool-errors',
  'zfs-device',
  'ceph-health',
  'snapshot-age',
  'backup-age',
  'backup-failed',
  'pbs-job-failed',
]
const offline = ['connectivity', 'offline', 'powered-off', 'docker-host-offline', 'docker-container-state']
const categories = new Map<string, AlertCategory>([
  ...storage.map((type) => [type, 'storage'] as const),
  ...offline.map((type) => [type, 'offline'] as const),
])

/** Whatever is neither about room and disks nor about being there is about how something runs. */
export const categoryOf = (type: string): AlertCategory => categories.get(type) ?? 'performance'

/** Figures get worse while they last; what is broken or away stays so, and once is enough. */
export const isRepeated = (alert: Pick<Alert, 'type' | 'threshold'>): boolean =>
  hasFigure(alert) && (alert.type === 'usage' || categoryOf(alert.type) === 'performance')
