import { aBackupRun, aGuest, aPbsBackup, aSnapshot, aStorageBackup } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createGuestBackups } from './guest-backups.ts'

const guest = aGuest({ source: 'main', vmid: 100, name: 'web' })
const given = () => {
  const live = aLive({
    guests: { 'main:100': guest, 'main:101': aGuest({ source: 'main', vmid: 101 }) },
    pveBackups: {
      file: aStorageBackup({ source: 'main', vmid: 100, ctime: 1_000 }),
      foreign: aStorageBackup({ source: 'lab', vmid: 100, ctime: 1_500 }),
      snapshot: aSnapshot({ source: 'main', vmid: 100, name: 'one' }),
    },
    pbsBackups: {
      new: aPbsBackup({ vmid: '100', listedBy: ['main'], backupTime: new Date(2_000_000).toISOString() }),
      other: aPbsBackup({ vmid: '101', listedBy: ['main'] }),
    },
  })
  return { live, read: createGuestBackups(guest) }
}

test('[M 3.3] the backups of a guest, newest first, from the lists of its own cluster', () => {
  const { live, read } = given()
  const { backups, snapshots } = read(live.store)
  expect(backups.map(({ backupTime }) => backupTime)).toEqual([2_000, 1_000])
  expect(snapshots.map(({ name }) => name)).toEqual(['one'])
})

test('[M 3.3] what another guest gets or loses changes nothing: the result is the same object', () => {
  const { live, read } = given()
  const before = read(live.store)
  live.put({ pbsBackups: { more: aPbsBackup({ vmid: '101', listedBy: ['main'] }) } })
  live.remove('pbsBackups', 'other')
  live.set('guests', { 'main:100': { cpu: 0.9 } })
  expect(read(live.store)).toBe(before)
})

test('[M 3.3] a backup of its own that comes or goes is seen', () => {
  const { live, read } = given()
  read(live.store)
  live.put({ pveBackups: { later: aStorageBackup({ source: 'main', vmid: 100, ctime: 3_000 }) } })
  expect(read(live.store).backups).toHaveLength(3)
  live.remove('pveBackups', 'later', 'file')
  expect(read(live.store).backups).toHaveLength(1)
})

test('[M 3.3] a backup that may belong to another cluster’s guest is marked', () => {
  const live = aLive({
    guests: {
      'main:100': guest,
      'lab:100': aGuest({ source: 'lab', instance: 'lab', vmid: 100, name: 'x' }),
    },
    pbsBackups: { one: aPbsBackup({ vmid: '100', namespace: '', comment: '' }) },
  })
  expect(createGuestBackups(guest)(live.store).backups.map(({ ambiguous }) => ambiguous)).toEqual([true])
})

test('[M 3.1] the runs of a guest: alone, with others, and those of its own cluster', () => {
  const { live, read } = given()
  const run = (upid: string, change: Parameters<typeof aBackupRun>[0]) =>
    aBackupRun({ upid, source: 'main', startTime: '2026-01-01T00:00:00Z', ...change })
  read(live.store)
  live.put({
    pveBackups: {
      alone: run('alone', { vmid: 100 }),
      several: run('several', {
        vmid: 0,
        guests: [{ vmid: 100 }, { vmid: 101 }],
        startTime: '2026-01-02T00:00:00Z',
      }),
      other: run('other', { vmid: 101 }),
      foreign: run('foreign', { source: 'lab', vmid: 100 }),
    },
  })
  expect(read(live.store).runs.map(({ upid }) => upid)).toEqual(['several', 'alone'])
})
