import type { Connection } from '@pulse/domain'
import { type Answers, givenHost } from '../proxmox/fixtures-host.ts'
import { pbsHost } from './index.ts'

export const seconds = Date.UTC(2026, 0, 1) / 1000
const upid = 'UPID:pbs:00000001:00000002:00000003:6553F1A0:task:main:root@pam:'

export const aSnapshot = (id: string, more: object = {}) => ({
  'backup-type': 'vm',
  'backup-id': id,
  'backup-time': seconds,
  size: 5_000,
  owner: 'pve@pbs!token',
  protected: false,
  files: [
    { filename: 'drive-scsi0.img.fidx', size: 4_000, 'crypt-mode': 'none' },
    { filename: 'index.json.blob', size: 514, 'crypt-mode': 'none' },
  ],
  ...more,
})

export const aTask = (type: string, id: string, more: object = {}) => ({
  upid: `${upid}${type}:${id}`,
  node: 'pbs',
  worker_type: type,
  worker_id: id,
  starttime: seconds,
  user: 'root@pam',
  ...more,
})

export const failedTasksPath = '/nodes/localhost/tasks?errors=true*'
export const recentTasksPath = '/nodes/localhost/tasks?limit=500*'

/** Two datastores. `main` has a namespace. */
export const usualAnswers = (): Answers => ({
  '/version': { version: '4.0', release: '14' },
  '/nodes/localhost/status': {
    cpu: 0.25,
    uptime: 86_400,
    memory: { total: 16_000, used: 4_000, free: 12_000 },
  },
  '/status/datastore-usage': [
    {
      store: 'main',
      total: 1_000,
      used: 400,
      avail: 550,
      'estimated-full-date': 1_800_000_000,
      'gc-status': { 'index-data-bytes': 3_000, 'disk-bytes': 1_000 },
    },
    { store: 'offsite', total: 2_000, used: 500, avail: 1_500, 'estimated-full-date': -1 },
  ],
  '/admin/gc': [
    {
      store: 'main',
      upid,
      schedule: 'daily',
      'next-run': seconds + 86_400,
      'last-run-endtime': seconds,
      'last-run-state': 'OK',
      'last-run-upid': upid,
      duration: 142,
      'index-data-bytes': 3_000,
      'disk-bytes': 1_000,
      'removed-bytes': 8_123,
      'pending-bytes': 7,
    },
    { store: 'offsite', upid: null, 'index-data-bytes': 0, 'disk-bytes': 0 },
  ],
  '/admin/sync?sync-direction=all': [
    {
      id: 's-1',
      store: 'main',
      ns: 'team',
      remote: 'other',
      'remote-store': 'theirs',
      schedule: 'hourly',
      'next-run': seconds + 3_600,
      'last-run-state': 'connection refused',
      'last-run-upid': upid,
      'last-run-endtime': seconds,
    },
  ],
  '/admin/verify': [
    {
      id: 'v-1',
      store: 'main',
      'last-run-state': 'WARNINGS: 2',
      'last-run-upid': upid,
      'last-run-endtime': seconds,
    },
    { id: 'v-2', store: 'main', 'last-run-upid': upid },
    { id: 'v-3', store: 'offsite' },
  ],
  '/admin/prune': [
    { id: 'p-1', store: 'main', disable: true, 'next-run': 5, 'keep-daily': 7 },
    { id: 'p-2', store: 'main', 'last-run-state': 'OK', 'last-run-upid': upid, 'last-run-endtime': seconds },
  ],
  '/admin/datastore/main/namespace': [{ ns: '' }, { ns: 'team' }, { ns: 'team/prod' }],
  '/admin/datastore/offsite/namespace': [{ ns: '' }],
  '/admin/datastore/main/snapshots': [aSnapshot('100'), aSnapshot('101')],
  '/admin/datastore/main/snapshots?ns=team': [aSnapshot('100')],
  '/admin/datastore/main/snapshots?ns=team%2Fprod': [],
  '/admin/datastore/offsite/snapshots': [aSnapshot('7', { 'backup-type': 'host', 'backup-id': 'nas' })],
  '/access/permissions': { '/': { 'Sys.Audit': 1, 'Datastore.Audit': 1 } },
  [failedTasksPath]: [],
  [recentTasksPath]: [],
})

export const givenServer = (change: Answers = {}, connection: Partial<Connection> = {}) =>
  givenHost(pbsHost, { ...usualAnswers(), ...change }, connection)
