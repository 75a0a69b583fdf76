import { createEstate, toPlain } from '@pulse/domain'
import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { usualPace } from '../source.ts'
import { given } from './fixtures.ts'

test.concurrent(
  '[facts 1.14] a pool that degrades shows on the storages that lie on it, with the device that is lost',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 4, factor: 60 })
    here.start()
    const row = () => here.records('storage').find(({ storage }) => storage === 'local-zfs')!
    await here.until('the pool', () => row()?.zfsPool !== undefined, 60)
    expect(row().zfsPool).toMatchObject({ name: 'rpool', state: 'ONLINE', devices: [] })
    // Remote storages and directories on nodes with several pools have no pool. `tank` has no storage.
    const others = here.records('storage').filter(({ storage }) => storage !== 'local-zfs')
    expect(others.flatMap(({ storage, zfsPool }) => (zfsPool ? [storage] : []))).toEqual(['tank'])
    expect(others.find(({ storage }) => storage === 'tank')).toMatchObject({
      type: 'zfs',
      status: 'available',
      content: '',
      total: expect.any(Number),
      usage: expect.any(Number),
    })
    const [node] = here.lab.clusters[0]!.nodes
    await here.lab.control.patchNode(node!.name, {
      pools: { rpool: { health: 'DEGRADED', devices: { '/dev/nvme1n1': { state: 'FAULTED', cksum: 4 } } } },
    })
    await here.until('its state', () => row().zfsPool?.state === 'DEGRADED', 1_500)
    await here.until('its device', () => (row().zfsPool?.devices.length ?? 0) > 0, 1_500)
    expect(row().zfsPool!.checksumErrors).toBe(4)
    expect(row().zfsPool!.devices.at(-1)).toMatchObject({ type: 'disk', state: 'FAULTED', checksumErrors: 4 })
    here.lab.control.addFault({ kind: 'status', status: 403, path: '/nodes/*/disks/zfs' })
    here.lab.control.addFault({ kind: 'status', status: 403, path: '/nodes/*/disks/zfs/*' })
    await here.until('the mark', () => row().zfsPool?.staleSince !== undefined, 1_500)
    expect(row().zfsPool!.state).toBe('DEGRADED')
    await here.until('the storage itself is fresh', () => row().staleSince === undefined, 60)
  },
)

test.concurrent(
  '[facts 1.15] disks with health, wear and temperature; kept and marked when they cannot be read',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 2, factor: 60 })
    const [node] = here.lab.clusters[0]!.nodes
    await here.lab.control.patchNode(node!.name, {
      disks: {
        '/dev/sda': { health: 'FAILED!', wearout: '"4"' },
        '/dev/nvme0n1': { wearout: 88, temperatureCelsius: 61 },
      },
    })
    here.start({ flags: { monitorPhysicalDisks: true } })
    const disk = (devPath: string) => here.records('physicalDisks').find((one) => one.devPath === devPath)
    await here.until('the list', () => here.records('physicalDisks').length > 0, 60)
    expect(disk('/dev/sda')).toMatchObject({
      id: `main-${node!.name}--dev-sda`,
      health: 'FAILED',
      wearout: 4,
      type: 'sata',
    })
    await here.until('a temperature', () => disk('/dev/nvme0n1')?.temperature === 61, 900)
    const known = here.records('physicalDisks').length
    here.lab.control.addFault({ kind: 'hang', path: '/nodes/*/disks/list' })
    await here.until(
      'the mark',
      () => here.records('physicalDisks').every(({ staleSince }) => staleSince),
      1_200,
    )
    expect(here.records('physicalDisks')).toHaveLength(known)
    expect(here.records('guests').every(({ staleSince }) => staleSince === undefined)).toBe(true)
  },
)

test.concurrent(
  '[R7] a source that falls silent marks its disks, pools and Ceph with all else that it said',
  async (context) => {
    const here = await given(context, { nodes: 3, guests: 3, ceph: true, factor: 60 })
    here.start({ flags: { monitorPhysicalDisks: true } })
    const known = () => [
      ...here.records('storage'),
      ...here.records('physicalDisks'),
      ...here.records('cephClusters'),
    ]
    const isOwnPool = ({ type }: { type: string }) => type === 'zfs'
    await here.until('a pool of its own', () => here.records('storage').some(isOwnPool), 60)
    await here.until('the disks', () => here.records('physicalDisks').length > 0, 60)
    await here.until('Ceph', () => here.records('cephClusters').length > 0, 120)
    expect(known().every(({ staleSince }) => staleSince !== undefined)).toBe(false)
    here.lab.control.addFault({ kind: 'hang' })
    await here.until('all marks', () => known().every(({ staleSince }) => staleSince !== undefined), 90)
  },
)

test.concurrent('jobs with the error of their last try', async (context) => {
  const here = await given(context, { nodes: 3, guests: 60, factor: 60 })
  here.start()
  const jobs = () => here.records('replicationJobs')
  await here.until('the jobs', () => jobs().length > 0, 60)
  const { node, job, id, vmid } = jobs()[0]!
  expect([id, job]).toEqual([`main-${job}`, `${vmid}-0`])
  await here.lab.control.patchNode(node, { replication: { [job]: 'no way to the target' } })
  const now = () => jobs().find((one) => one.job === job)!
  await here.until('the error', () => now().error !== undefined, 2_500)
  expect(now()).toMatchObject({
    error: expect.stringContaining('no way to the target'),
    failCount: expect.any(Number),
  })
  expect(now().failCount).toBeGreaterThan(0)
})

test.concurrent(
  'the newest backup of a guest shows in lastBackup of the documented state',
  async (context) => {
    const here = await given(context, { nodes: 1, guests: 20, factor: 40 })
    here.start()
    const backups = () => here.backups('storageBackups').filter(({ type }) => type === 'qemu')
    await here.until('backups', () => backups().length > 10, 60)
    const estate = createEstate()
    estate.observe('c1', here.latest().records)
    const plain = toPlain(estate.tables, aMeta(), here.clock.now())
    const guest = plain.vms.find(({ vmid }) => backups().some((one) => one.vmid === vmid))!
    const newest = Math.max(
      ...backups().flatMap((one) => (one.vmid === guest.vmid ? [one.ctime * 1000] : [])),
    )
    expect(guest.lastBackup).toBe(newest)
    const { storageBackups, backupTasks } = plain.pveBackups
    expect(storageBackups[0]!.id).toMatch(/^main-.*:.*backup/)
    expect(storageBackups.map(({ time }) => time)).toEqual(
      storageBackups
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    )
    for (const task of backupTasks) expect(Object.keys(task)).not.toEqual(expect.arrayContaining(['upid']))
  },
)

test.concurrent('[facts/platform 11] where pools are switched off they are not polled', async (context) => {
  const pace = () => ({ ...usualPace, withoutZfs: true })
  const here = await given(context, { nodes: 1, guests: 2, factor: 40, pace })
  here.start()
  await here.until('backups', () => here.backups('storageBackups').length > 0, 60)
  expect(here.lab.requests({ path: '/nodes/*/disks/zfs' }).total).toBe(0)
})
