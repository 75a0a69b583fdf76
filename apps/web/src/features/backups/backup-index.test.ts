import { aGuest, aPbsBackup, aPmgBackup, aSnapshot, aStorageBackup, aBackupRun } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createBackupIndex } from './backup-index.ts'
import { partsOfGroup } from '../../parts/backups/backup-row.ts'

type Given = Parameters<typeof aLive>[0]

function given(records: Given) {
  const live = aLive(records)
  const indexOf = createBackupIndex()
  return { live, index: () => indexOf(live.store), row: (id: string) => indexOf(live.store).records.get(id) }
}

const web = aGuest({ vmid: 100, name: 'web' })

describe('[spec 1 §3] a backup in its one form', () => {
  test('of a snapshot', () => {
    const { row } = given({
      guests: { 'main:100': web },
      pveBackups: { s: aSnapshot({ description: 'before the update' }) },
    })
    expect(row('s')).toMatchObject({
      backupType: 'snapshot',
      vmid: 100,
      name: 'web',
      type: 'VM',
      node: 'pve1',
      instance: 'main',
      backupTime: Date.UTC(2025, 11, 31, 12) / 1000,
      backupName: 'before-update',
      description: 'before the update',
      status: 'ok',
    })
  })

  test('of a file on a storage; that of a container whose guest is gone says what it is itself', () => {
    const { row } = given({
      pveBackups: {
        f: aStorageBackup({ vmid: 105, type: 'lxc', notes: 'db\nnightly', encryption: '1', protected: true }),
      },
    })
    expect(row('f')).toMatchObject({
      backupType: 'local',
      type: 'LXC',
      name: 'db',
      storage: 'nas',
      backupName: 'vzdump-lxc-105-2025_12_31.vma.zst',
      status: 'unverified',
      protected: true,
      encrypted: true,
      verifiable: false,
    })
  })

  test('of a backup server, seen by itself or through the storage of a cluster', () => {
    const { row } = given({
      guests: { 'main:100': web },
      pbsBackups: { p: aPbsBackup({ namespace: 'prod', comment: 'nightly' }) },
      pveBackups: {
        l: aStorageBackup({ isPBS: true, storage: 'pbs-main', verified: true, verification: 'ok' }),
      },
    })
    expect(row('p')).toMatchObject({
      backupType: 'remote',
      vmid: 100,
      name: 'web',
      type: 'VM',
      node: 'backup',
      datastore: 'main',
      namespace: 'prod',
      status: 'verified',
      owner: 'pulse@pbs!backup',
    })
    expect(row('l')).toMatchObject({ backupType: 'remote', storage: 'pbs-main', status: 'verified' })
  })

  test('of a host and of a mail gateway', () => {
    const { row, index } = given({
      pbsBackups: { h: aPbsBackup({ backupType: 'host', vmid: 'nas', comment: 'the box' }) },
      pmgBackups: { m: aPmgBackup() },
    })
    expect(row('h')).toMatchObject({ type: 'Host', vmid: 'nas', name: 'the box' })
    expect(row('m')).toMatchObject({
      type: 'Host',
      backupType: 'local',
      name: 'mail',
      node: 'mail1',
      status: 'ok',
    })
    expect(index().hasHosts).toBe(true)
  })

  test('[spec 1 §4] verified or unverified, or worse: found broken', () => {
    const { row } = given({
      pbsBackups: {
        ok: aPbsBackup(),
        never: aPbsBackup({ verified: false, verification: undefined }),
        bad: aPbsBackup({ verified: false, verification: 'failed' }),
      },
    })
    expect(['ok', 'never', 'bad'].map((id) => row(id)?.status)).toEqual(['verified', 'unverified', 'failed'])
  })

  test('a run is no backup; sizes of 0 are not known', () => {
    const { row, index } = given({
      pveBackups: { run: aBackupRun(), f: aStorageBackup({ size: 0 }) },
    })
    expect(index().records.size).toBe(1)
    expect(row('f')?.size).toBeUndefined()
  })
})

describe('whose it is', () => {
  const twins = {
    'a:100': aGuest({ source: 'a', instance: 'east', name: 'web' }),
    'b:100': aGuest({ source: 'b', instance: 'west', name: 'db' }),
  }

  test('of two guests with a number the one whose cluster lists it, or whose namespace it is in', () => {
    const { row } = given({
      guests: twins,
      pbsBackups: { listed: aPbsBackup({ listedBy: ['b'] }), spaced: aPbsBackup({ namespace: 'dc/east' }) },
    })
    expect([row('listed')?.name, row('spaced')?.name]).toEqual(['db', 'web'])
  })

  test('is never guessed: it is ambiguous, and keeps its own words', () => {
    const { row } = given({ guests: twins, pbsBackups: { p: aPbsBackup({ comment: 'nightly' }) } })
    expect(row('p')).toMatchObject({ name: 'nightly', ambiguous: true })
    expect(partsOfGroup(row('p')!.group)).toMatchObject({ type: 'VM', vmid: '100', words: 'nightly' })
  })

  test('is shown under its date, and bears a word where that is still to come', () => {
    const { row } = given({
      guests: twins,
      pbsBackups: { now: aPbsBackup(), ahead: aPbsBackup({ future: true }) },
      pveBackups: { file: aStorageBackup({ future: true }) },
    })
    expect([row('now')?.future, row('ahead')?.future, row('file')?.future]).toEqual([undefined, true, true])
  })

  test('is not guessed of a server that is not watched either, when the clusters of both list it', () => {
    const file = { isPBS: true, listedBy: ['a', 'b'] }
    const { row } = given({
      guests: twins,
      pveBackups: {
        east: aStorageBackup({ ...file, source: 'a', instance: 'east', notes: 'nightly' }),
        named: aStorageBackup({ ...file, source: 'b', instance: 'west', notes: 'db' }),
      },
    })
    expect(row('east')).toMatchObject({ name: 'nightly', ambiguous: true })
    expect(row('named')).toMatchObject({ name: 'db', ambiguous: false })
  })

  test('the backup of a container is not that of the VM that has its number now', () => {
    const { row } = given({
      guests: { 'main:100': web },
      pveBackups: { f: aStorageBackup({ type: 'lxc', notes: 'old-db' }) },
    })
    expect(row('f')).toMatchObject({ name: 'old-db', type: 'LXC' })
  })

  test('where a cluster lists none of its number it may be another’s, and is the guest’s again once it is listed', () => {
    const listed = aPbsBackup({ listedBy: ['main'], namespace: 'here' })
    const foreign = aPbsBackup({ namespace: 'there' })
    const { live, row } = given({ guests: { 'main:100': web }, pbsBackups: { foreign } })
    expect(row('foreign')).toMatchObject({ name: 'web', ambiguous: false })
    live.put({ pbsBackups: { listed } })
    expect([row('listed')?.ambiguous, row('foreign')?.ambiguous]).toEqual([false, true])
    live.put({ pbsBackups: { third: { ...foreign, listedBy: ['main'] } } })
    expect(row('foreign')).toMatchObject({ name: 'web', ambiguous: false })
  })

  test('all backups of a guest are of one group, whatever they come from', () => {
    const { row } = given({
      guests: { 'main:100': web },
      pbsBackups: { p: aPbsBackup() },
      pveBackups: { s: aSnapshot(), f: aStorageBackup() },
    })
    expect(new Set(['p', 's', 'f'].map((id) => row(id)!.group)).size).toBe(1)
  })

  test('the backups of a guest stay one group after it was deleted, whatever they come from and say', () => {
    const { live, row } = given({
      guests: { 'main:100': web },
      pbsBackups: { p: aPbsBackup({ listedBy: ['main'], comment: 'web' }) },
      pveBackups: {
        renamed: aStorageBackup({ notes: 'shop' }),
        f: aStorageBackup({ notes: 'web\nnightly', ctime: 1 }),
        other: aStorageBackup({ vmid: 100, type: 'lxc' }),
        elsewhere: aStorageBackup({ source: 'west', instance: 'west' }),
      },
    })
    live.remove('guests', 'main:100')
    const group = (id: string) => row(id)!.group
    expect([group('renamed'), group('f')]).toEqual([group('p'), group('p')])
    expect(new Set(['p', 'other', 'elsewhere'].map(group)).size).toBe(3)
  })
})

describe('work', () => {
  test('a record is looked at once, again when it changed, and when a guest of its number is another one', () => {
    let looks = 0
    const row = given({ pbsBackups: { p: aPbsBackup() } }).row('p')!
    const db = aGuest({ vmid: 101, name: 'db' })
    const live = aLive({
      guests: { 'main:100': web, 'main:101': db },
      pbsBackups: Object.fromEntries(
        Array.from({ length: 200 }, (_, at) => [
          `p${at}`,
          aPbsBackup({ datastore: `d${at}`, vmid: at < 150 ? '100' : '101' }),
        ]),
      ),
    })
    const indexOf = createBackupIndex((reader, _kind, id) => {
      looks++
      return { ...row, vmid: Number(reader.records('pbsBackups').get(id)!.vmid) }
    })
    const looked = (run: () => void) => {
      looks = 0
      run()
      indexOf(live.store)
      return looks
    }
    expect(looked(() => {})).toBe(200)
    expect(looked(() => {})).toBe(0)
    expect(looked(() => live.put({ pbsBackups: { p7: aPbsBackup({ size: 1 }) } }))).toBe(1)
    expect(looked(() => live.put({ guests: { 'main:101': { ...db, cpu: 0.9 } } }))).toBe(0)
    expect(looked(() => live.put({ guests: { 'main:101': { ...db, name: 'db2' } } }))).toBe(50)
    expect(looked(() => live.remove('guests', 'main:101'))).toBe(50)
    expect(looked(() => live.put({ guests: { 'main:102': aGuest({ vmid: 102 }) } }))).toBe(0)
  })

  test('says what changed since, and how many each line of the node table has', () => {
    const { live, index } = given({
      pbsBackups: { p: aPbsBackup() },
      pveBackups: { s: aSnapshot(), f: aStorageBackup({ node: 'pve2' }) },
    })
    const before = index()
    expect(Object.fromEntries(before.counts)).toEqual({
      backup: { backups: 1 },
      'main\0pve1': { backups: 1 },
      'main\0pve2': { backups: 1 },
    })
    live.remove('pveBackups', 's')
    expect(index().changedSince(before.version)).toEqual(['s'])
    expect(index().counts.get('main\0pve1')).toEqual({ backups: 0 })
    expect(index()).toBe(index())
  })
})
