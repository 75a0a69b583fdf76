import { expect, test } from 'vitest'
import { changeLink } from './change-kinds.ts'
import { changeTone } from './change-icon.tsx'
import { changeText } from './change-text.ts'

const GiB = 1024 ** 3

test.each([
  [{ kind: 'guests', what: 'came' }, 'Added'],
  [{ kind: 'guests', what: 'went' }, 'Removed'],
  [{ kind: 'guests', what: 'moved', from: 'pve1', to: 'pve2' }, 'Moved from pve1 to pve2'],
  [{ kind: 'guests', what: 'started', from: 'stopped', to: 'running' }, 'Started'],
  [{ kind: 'guests', what: 'started', from: 'paused', to: 'running' }, 'Started (was paused)'],
  [{ kind: 'guests', what: 'stopped', from: 'running', to: 'stopped' }, 'Stopped'],
  [{ kind: 'guests', what: 'stopped', from: 'running', to: 'paused' }, 'Paused'],
  [{ kind: 'nodes', what: 'stopped', from: 'online', to: 'offline' }, 'Went offline'],
  [{ kind: 'nodes', what: 'started', from: 'offline', to: 'online' }, 'Came online'],
  [{ kind: 'guests', what: 'restarted', from: 1, to: 2 }, 'Restarted'],
  [
    { kind: 'guests', what: 'resized', field: 'memorySize', from: 4 * GiB, to: 8 * GiB },
    'Memory resized from 4 GB to 8 GB',
  ],
  [{ kind: 'guests', what: 'resized', field: 'cpus', from: 2, to: 4 }, 'CPUs changed from 2 to 4'],
  [{ kind: 'guests', what: 'renamed', from: 'web', to: 'www' }, 'Renamed from web to www'],
  [{ kind: 'guests', what: 'tagged', from: 'a;b', to: 'b;c' }, 'Tags changed: added c; removed a'],
  [{ kind: 'guests', what: 'converted' }, 'Converted to a template'],
  [
    { kind: 'physicalDisks', what: 'failing', from: 'PASSED', to: 'FAILED' },
    'Disk reports that it is failing: FAILED',
  ],
  [{ kind: 'storage', what: 'status', from: 'available', to: 'inactive' }, 'Not available: inactive'],
  [{ kind: 'storage', what: 'status', from: 'inactive', to: 'available' }, 'Available again (was inactive)'],
  [
    { kind: 'cephClusters', what: 'status', from: 'HEALTH_OK', to: 'HEALTH_WARN' },
    'Health changed from HEALTH_OK to HEALTH_WARN',
  ],
  [
    {
      kind: 'nodes',
      what: 'version',
      field: 'pveVersion',
      from: 'pve-manager/9.0.3/025864202',
      to: 'pve-manager/9.1.1/2a5',
    },
    'pve-manager 9.0.3 → 9.1.1',
  ],
  [{ kind: 'guests', what: 'unprotected', field: 'no-job' }, 'No backup job'],
  [{ kind: 'guests', what: 'unprotected', field: 'failed' }, 'Backup failed'],
  [{ kind: 'guests', what: 'backupStarted' }, 'Backup started'],
  [{ kind: 'guests', what: 'backupEnded' }, 'Backup ended'],
] as const)('[M 3.5] %j: %s', (change, text) => {
  expect(changeText(change)).toBe(text)
})

test('[M 3.5] a guest and a node have pages of their own; a hostile id stays one part of the path', () => {
  const link = (kind: string, id: string) => changeLink({ kind, id, name: 'x' })
  expect(link('guests', 'main:100')).toBe('/proxmox/guest/main%3A100')
  expect(link('nodes', '../a?b#c/d')).toBe('/proxmox/node/..%2Fa%3Fb%23c%2Fd')
  expect(link('storage', 'a')).toBe('/proxmox/storage?search=x')
  expect(link('cephClusters', 'a')).toBe('/proxmox/storage')
  expect(link('sources', 'a')).toBeUndefined()
})

test('[design 10] only what needs attention has a colour', () => {
  expect(changeTone({ kind: 'guests', what: 'stopped', to: 'stopped' })).toBe('neutral')
  expect(changeTone({ kind: 'nodes', what: 'stopped', to: 'offline' })).toBe('orange')
  expect(changeTone({ kind: 'physicalDisks', what: 'failing', to: 'FAILED' })).toBe('red')
  expect(changeTone({ kind: 'storage', what: 'status', to: 'available' })).toBe('neutral')
  const ceph = { kind: 'cephClusters', what: 'status' } as const
  expect(['HEALTH_OK', 'HEALTH_WARN', 'HEALTH_ERR'].map((to) => changeTone({ ...ceph, to }))).toEqual([
    'neutral',
    'orange',
    'red',
  ])
})
