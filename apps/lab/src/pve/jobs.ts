import type { Cluster, Guest } from '../estate/estate.ts'
import { isExcluded } from '../protection/plans.ts'
import { needsSysAudit } from './route.ts'
import type { Call, Route } from './route.ts'

const daySeconds = 86_400

export const jobRoutes: readonly Route[] = [
  { path: '/cluster/backup', missing: needsSysAudit, answer: backupJobs },
  { path: '/cluster/backup-info/not-backed-up', missing: needsSysAudit, answer: notBackedUp },
]

const excluded = (cluster: Cluster): Guest[] =>
  [...cluster.guests.values()].filter((guest) => !guest.template && isExcluded(guest))

function backupJobs({ cluster, world }: Call) {
  const { major } = cluster.release
  const now = Math.floor(world.settings.now() / 1000)
  const midnight = now - (now % daySeconds)
  const nightly = midnight + world.settings.nightlyAtHour * 3600
  const keep = { 'keep-daily': '7', 'keep-weekly': '4' }
  return [
    {
      id: 'backup-c98dc3da-6bed',
      type: 'vzdump',
      enabled: 1,
      schedule: `${String(world.settings.nightlyAtHour).padStart(2, '0')}:00`,
      'next-run': nightly + (now > nightly ? daySeconds : 0),
      storage: 'pbs-main',
      mode: 'snapshot',
      all: 1,
      exclude: excluded(cluster)
        .map(({ vmid }) => vmid)
        .join(','),
      'notes-template': '{{guestname}}',
      // A text up to PVE 7, an object since.
      'prune-backups': major === 7 ? 'keep-daily=7,keep-weekly=4' : keep,
      ...(major >= 8 && { 'notification-mode': 'auto', fleecing: { enabled: 0 } }),
      ...(major === 9 && { 'pbs-change-detection-mode': 'metadata' }),
    },
    {
      id: 'backup-7d41e0b2-2f10',
      type: 'vzdump',
      enabled: 0,
      schedule: 'sat 02:00',
      storage: 'nas-backup',
      mode: 'stop',
      vmid: '100,101',
      mailnotification: 'failure',
    },
  ]
}

function notBackedUp({ cluster }: Call) {
  return excluded(cluster).map((guest) => ({
    vmid: guest.vmid,
    type: guest.kind,
    ...(guest.name !== undefined && { name: guest.name }),
  }))
}
