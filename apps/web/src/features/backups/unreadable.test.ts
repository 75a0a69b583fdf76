import { expect, test } from 'vitest'
import { concernsBackups } from './page.tsx'

test.each([
  ['pve', 'backups of storage nas-backup', true],
  ['pve', 'list of backup jobs', true],
  ['pve', 'pve1 guest snapshots', true],
  ['pve', 'pve1 replication', true],
  ['pve', 'storage configuration', false],
  ['pve', 'pve1 disk temperatures', false],
  ['pbs', 'datastore main', true],
  ['pbs', 'namespace main/prod', true],
  ['pbs', 'sync jobs', true],
  ['pbs', 'server status', false],
  ['pmg', 'backups of mail1', true],
  ['pmg', 'queues', false],
  ['docker', 'backups', false],
] as const)('%s: %s is missed on the page: %s', (kind, what, expected) => {
  expect(concernsBackups({ kind }, what)).toBe(expected)
})
