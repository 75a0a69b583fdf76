import { expect, test } from 'vitest'
import { toStorageBackup } from './backup-records.ts'
import { PveBackupVolume } from './schema-backups.ts'

const now = Date.UTC(2026, 0, 1)
const hour = 3_600

test.each([
  ['an hour ago', -hour, undefined],
  ['a little ahead, as clocks differ', hour, undefined],
  ['in two hours', 2 * hour, true],
  ['in a year', 365 * 24 * hour, true],
])('a backup dated %s: whether that is still to come is %s', (_when, ahead, future) => {
  const volume = PveBackupVolume.parse({
    volid: 'local:backup/vzdump-qemu-100.vma.zst',
    ctime: now / 1000 + ahead,
    vmid: 100,
    format: 'vma.zst',
    size: 1,
  })
  const storage = { storage: 'local', type: 'dir', node: 'pve1', shared: false }
  const owner = { source: 'c1', instance: 'main' }
  expect(toStorageBackup(volume, storage, () => 'pve1', owner, now).future).toBe(future)
})
