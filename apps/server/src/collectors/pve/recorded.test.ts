import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { toJob } from './backup-jobs.ts'
import { toCeph } from './ceph.ts'
import { temperatureOf, toDisk } from './disks.ts'
import type { MapContext } from './map.ts'
import { readList, readOne } from './schema.ts'
import { PveBackupJob, PveSnapshot, PveTask } from './schema-backups.ts'
import { PveCephStatus, PveDisk, PveSmart, PveZfsDetail } from './schema-disks.ts'
import { toTask } from './backup-records.ts'
import { toZfsPool } from './zfs.ts'

/** Recordings are stored beside the repository, not in it. */
const folder = path.resolve(import.meta.dirname, '../../../../../../shared/fixtures/pve')
const hasRecordings = fs.existsSync(folder)
const read = (name: string) =>
  (JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8')) as { data: unknown }).data
const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}

test.skipIf(!hasRecordings)('[facts 1.16] Ceph as recorded: its counts, and no word of the modules', () => {
  const ceph = toCeph(
    readOne(PveCephStatus, read('pve8-cluster-ceph-status'), ''),
    undefined,
    0,
    context,
    false,
  )
  expect(ceph).toMatchObject({
    id: 'main-' + ceph.fsid,
    health: expect.stringMatching(/^HEALTH_/),
    totalBytes: 51_850_204_151_808,
    numMons: 3,
    numMgrs: 3,
    numOsds: 21,
    numOsdsUp: 21,
    numPGs: 577,
  })
  expect(JSON.stringify(ceph).length).toBeLessThan(2_000)
})

test.skipIf(!hasRecordings)(
  '[facts 1.14] a pool as recorded is well: an old feature set is no fault of its disks',
  () => {
    const detail = readOne(PveZfsDetail, read('pve8-disks-zfs-pool'), '')
    expect(toZfsPool({ name: detail.name!, state: detail.state!, detail, at: 0 })).toMatchObject({
      name: 'samsung-970-01',
      state: 'ONLINE',
      scan: expect.stringContaining('scrub repaired 0B'),
      devices: [],
    })
  },
)

test.skipIf(!hasRecordings)('[facts 1.15] disks as recorded', () => {
  const [disk] = readList(PveDisk, read('pve9-disks-list-nvme'), '')
  const smart = readOne(PveSmart, read('pve9-disks-smart-nvme'), '')
  expect(temperatureOf(smart)).toBe(45)
  expect(
    toDisk({ disk: disk!, at: 0, smart: { value: smart, at: 0 } }, 'node1', context, undefined),
  ).toMatchObject({
    type: 'nvme',
    health: 'PASSED',
    wearout: 100,
    temperature: 45,
    used: 'ZFS',
  })
})

test.skipIf(!hasRecordings)('[facts 1.17] runs, jobs and snapshots as recorded', () => {
  const runs = readList(PveTask, read('pve9-node-tasks'), '').filter(({ type }) => type === 'vzdump')
  expect(runs.map((run) => toTask(run, { source: 'c1', instance: 'main' }))).toMatchObject([
    { vmid: 0, status: 'job errors', error: 'job errors', startTime: '2026-09-14T18:00:00.000Z' },
    { vmid: 0, status: 'OK' },
  ])
  expect(readList(PveBackupJob, read('pve9-cluster-backup'), '').map(toJob)).toMatchObject([
    { isEnabled: true, only: undefined, not: new Set([130]) },
  ])
  expect(readList(PveSnapshot, read('pve9-qemu-snapshot-none'), '')).toEqual([])
  expect(readList(PveSnapshot, read('pve7-lxc-snapshot'), '').map(({ name }) => name)).toEqual([
    'snapshot1',
    'snapshot2',
  ])
})
