import type { Cluster, Guest } from '../estate/estate.ts'
import { fraction } from '../random.ts'
import { memberOf } from './member.ts'
import { mayAudit } from './resources.ts'
import { needsSysAudit } from './route.ts'
import type { Call, Route } from './route.ts'

const daySeconds = 86_400

export const jobRoutes: readonly Route[] = [
  { path: '/cluster/backup', missing: needsSysAudit, answer: backupJobs },
  { path: '/cluster/backup-info/not-backed-up', missing: needsSysAudit, answer: notBackedUp },
  { path: '/cluster/replication', answer: replicationJobs },
  { path: '/nodes/{node}/replication', query: { guest: 'integer' }, answer: replicationStates },
]

const excluded = (cluster: Cluster): Guest[] =>
  [...cluster.guests.values()].filter(({ vmid }) => vmid % 25 === 5)

function backupJobs({ cluster, world }: Call) {
  const { major } = cluster.release
  const now = Math.floor(world.settings.now() / 1000)
  const midnight = now - (now % daySeconds)
  const keep = { 'keep-daily': '7', 'keep-weekly': '4' }
  return [
    {
      id: 'backup-c98dc3da-6bed',
      type: 'vzdump',
      enabled: 1,
      schedule: '01:00',
      'next-run': midnight + 3600 + (now > midnight + 3600 ? daySeconds : 0),
      storage: 'pbs-main',
      mode: 'snapshot',
      all: 1,
      exclude: excluded(cluster)
        .map(({ vmid }) => vmid)
        .join(','),
      'notes-template': '{{guestname}}',
      // A text up to 7, taken apart since.
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

/** Only guests on local ZFS can be replicated, and only to another member. */
function replicated(cluster: Cluster): { guest: Guest; target: string }[] {
  return [...cluster.guests.values()]
    .filter(({ seed, storage, template }) => storage === 'local-zfs' && !template && fraction(seed, 77) < 0.1)
    .flatMap((guest) => {
      const target = cluster.nodes.find((node, index) => node !== guest.node && index % 2 === 0)
      return target ? [{ guest, target: target.name }] : []
    })
}

function replicationJobs({ cluster, rights }: Call) {
  return replicated(cluster)
    .filter(({ guest }) => mayAudit(rights, guest))
    .map(({ guest, target }) => ({
      id: `${guest.vmid}-0`,
      type: 'local',
      guest: guest.vmid,
      jobnum: 0,
      target,
      source: guest.node.name,
      schedule: '*/15',
    }))
}

function replicationStates(call: Call) {
  const node = memberOf(call)
  const now = Math.floor(call.world.settings.now() / 1000)
  const last = now - (now % 900)
  return replicated(call.cluster)
    .filter(({ guest }) => guest.node === node && mayAudit(call.rights, guest))
    .filter(({ guest }) => call.params.guest === undefined || guest.vmid === Number(call.params.guest))
    .map(({ guest, target }) => ({
      id: `${guest.vmid}-0`,
      type: 'local',
      guest: guest.vmid,
      jobnum: 0,
      target,
      source: node.name,
      vmtype: guest.kind,
      schedule: '*/15',
      last_sync: last,
      last_try: last,
      next_sync: last + 900,
      duration: 3.2 + fraction(guest.seed, last),
      fail_count: 0,
    }))
}
