import { expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'

type Item = Record<string, unknown>

const noon = Date.parse('2026-07-01T12:00:00Z')
const atNoon = { now: () => noon }

test('a storage that is not shared has the backups of the guests on its own node', async () => {
  const { lab, ask } = await aLab({ ...atNoon, guests: 300 })
  const vmidsOn = async (node: string) =>
    ((await ask(`/nodes/${node}/storage/local/content?content=backup`)).data as Item[]).map(
      ({ vmid }) => vmid,
    )
  for (const node of ['pve1', 'pve2', 'pve3']) {
    const own = lab.control.guests().filter((guest) => guest.node === node)
    const vmids = await vmidsOn(node)
    expect(vmids.length).toBeGreaterThan(0)
    expect(own.map(({ vmid }) => vmid)).toEqual(expect.arrayContaining(vmids))
  }
})

test('a guest without backups is in no job, on no storage, and on the list of those', async () => {
  const { lab, ask } = await aLab(atNoon)
  const without = async () =>
    ((await ask('/cluster/backup-info/not-backed-up')).data as Item[]).map(({ vmid }) => vmid)
  expect(await without()).not.toContain(100)
  lab.control.patchGuest(100, { backup: { none: true } })
  expect(await without()).toContain(100)
  const jobs = (await ask('/cluster/backup')).data as Item[]
  expect(String(jobs[0]!.exclude).split(',')).toContain('100')
  for (const storage of ['pbs-main', 'nas-backup']) {
    expect((await ask(`/nodes/pve1/storage/${storage}/content?content=backup&vmid=100`)).data).toEqual([])
  }
})

test('a failed backup has a task with its error and log, and no snapshot', async () => {
  const { lab, ask } = await aLab(atNoon)
  const { node } = lab.control.guest(101)
  const fails = "VM 101 qmp command 'backup' failed - got timeout"
  lab.control.patchGuest(101, { backup: { fails } })
  const errors = `/nodes/${node}/tasks?typefilter=vzdump&errors=1&vmid=101`
  const [task] = (await ask(errors)).data as Item[]
  expect(task).toMatchObject({ id: '101', type: 'vzdump', status: fails })
  const log = (await ask(`/nodes/${node}/tasks/${String(task!.upid)}/log`)).data as { n: number; t: string }[]
  expect(log.map(({ t }) => t)).toContain(`ERROR: Backup of VM 101 failed - ${fails}`)
  expect(log.at(-1)!.t).toBe(`TASK ERROR: ${fails}`)
  expect((await ask(`/nodes/${node}/tasks/${String(task!.upid)}/status`)).data).toMatchObject({
    status: 'stopped',
    exitstatus: fails,
  })
  const volumes = (await ask('/nodes/pve1/storage/pbs-main/content?content=backup&vmid=101')).data as Item[]
  expect(volumes.every(({ ctime }) => Number(ctime) < Number(task!.starttime))).toBe(true)
})

test('only the log of a job over many guests names the failed one', async () => {
  const { ask } = await aLab({ ...atNoon, nodes: 12, guests: 120 })
  const failed = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const node = `pve${index + 1}`
      const tasks = (await ask(`/nodes/${node}/tasks?typefilter=vzdump&errors=1`)).data as Item[]
      return tasks
        .filter(({ id, status }) => id === '' && status === 'job errors')
        .map(({ upid }) => ({ node, upid }))
    }),
  )
  const { node, upid } = failed.flat()[0]!
  const log = (await ask(`/nodes/${node}/tasks/${String(upid)}/log?limit=500`)).data as { t: string }[]
  expect(log.filter(({ t }) => t.startsWith('ERROR: Backup of VM'))).toHaveLength(1)
})

test('failed replication has its error and count, on its node and by its id', async () => {
  const { lab, ask } = await aLab({ ...atNoon, guests: 300 })
  const [job] = (await ask('/cluster/replication')).data as { id: string; source: string; target: string }[]
  const { id, source, target } = job!
  const stateOf = async () => (await ask(`/nodes/${source}/replication/${id}/status`)).data
  expect(await stateOf()).toMatchObject({ fail_count: 0 })
  await lab.control.patchNode(source, { replication: { [id]: 'no such dataset' } })
  expect(await stateOf()).toMatchObject({ fail_count: 3, error: 'no such dataset' })
  await lab.control.patchNode(source, { replication: { [id]: null } })
  expect(await stateOf()).not.toHaveProperty('error')
  await lab.control.patchNode(target, { online: false })
  const asked = lab.clusters[0]!.nodes.find(({ online }) => online)!.name
  const states = (await ask(`/nodes/${source}/replication`, { node: asked })).data as Item[]
  expect(states.find((one) => one.id === id)!.error).toContain(`root@${target}`)
})

test.each([
  ['a number', 42],
  ['a number as text', '97'],
  ['a text in quotes', '"97"'],
  ['not available', 'N/A'],
  ['nothing', null],
])('the wearout of a disk can be %s', async (_, wearout) => {
  const { lab, ask } = await aLab({ guests: 3 })
  await lab.control.patchNode('pve1', { disks: { '/dev/nvme0n1': { wearout, health: 'FAILED!' } } })
  const [disk] = (await ask('/nodes/pve1/disks/list')).data as Item[]
  expect(disk).toMatchObject({ devpath: '/dev/nvme0n1', wearout, health: 'FAILED!' })
  const smart = (await ask('/nodes/pve1/disks/smart?disk=/dev/nvme0n1')).data as Item
  expect(smart).toMatchObject({ type: 'text', health: 'FAILED!' })
  await lab.control.reset()
  expect(((await ask('/nodes/pve1/disks/list')).data as Item[])[0]).toMatchObject({ health: 'PASSED' })
})

test('[proxmox-api 2.14] SAS, USB and NVMe disks report different fields', async () => {
  const { ask } = await aLab({ guests: 3 })
  const disks = (await ask('/nodes/pve1/disks/list')).data as Item[]
  const of = (devpath: string) => disks.find((disk) => disk.devpath === devpath)
  expect(of('/dev/sde')).toMatchObject({ type: 'unknown', health: 'OK', wearout: 'N/A', rpm: -1 })
  expect(of('/dev/sdh')).toMatchObject({ type: 'usb', health: 'UNKNOWN', wearout: 'N/A' })
  const textOf = async (devpath: string) =>
    ((await ask(`/nodes/pve1/disks/smart?disk=${devpath}`)).data as { text?: string }).text
  expect(await textOf('/dev/sde')).toContain('Current Drive Temperature: ')
  expect(await textOf('/dev/nvme0n1')).toContain('Percentage Used: ')
  expect(await textOf('/dev/sdh')).toBe('')
  expect(await textOf('/dev/sda')).toBeUndefined()
  const third = (await ask('/nodes/pve3/disks/list')).data as Item[]
  expect(third.find(({ devpath }) => devpath === '/dev/sda')!.wearout).toEqual(expect.any(String))
})

test('a pool can be degraded as a whole, or by one device', async () => {
  const { lab, ask } = await aLab({ guests: 3 })
  const leavesOf = async () => {
    const { data } = await ask('/nodes/pve1/disks/zfs/tank')
    const { state, children, errors, scan } = data as {
      state: string
      children: Tree[]
      errors: string
      scan: string
    }
    return { state, errors, scan, leaves: children[0]!.children![0]!.children! }
  }
  await lab.control.patchNode('pve1', { pools: { tank: 'DEGRADED' } })
  expect((await leavesOf()).leaves.map(({ state }) => state)).toEqual(['ONLINE', 'ONLINE', 'REMOVED'])
  const sdb = { state: 'FAULTED', read: 3, write: 0, cksum: 1200, msg: 'too many errors' }
  await lab.control.patchNode('pve1', {
    pools: {
      tank: {
        health: 'DEGRADED',
        errors: "2 data errors, use '-v' for a list",
        scan: 'resilver in progress since Wed Jul 1 11:00:00 2026',
        devices: { '/dev/sdb': sdb },
      },
    },
  })
  const { leaves, ...pool } = await leavesOf()
  expect(pool).toEqual({
    state: 'DEGRADED',
    errors: "2 data errors, use '-v' for a list",
    scan: 'resilver in progress since Wed Jul 1 11:00:00 2026',
  })
  expect(leaves[0]).toMatchObject(sdb)
  expect(leaves.slice(1).map(({ state }) => state)).toEqual(['ONLINE', 'ONLINE'])
  expect((await ask('/nodes/pve1/disks/zfs')).data).toContainEqual(
    expect.objectContaining({ name: 'tank', health: 'DEGRADED' }),
  )
})

interface Tree {
  state: string
  children?: Tree[]
}

test('a storage can be missing on one node, and is back after a reset', async () => {
  const { lab, ask } = await aLab({ guests: 3 })
  lab.control.patchStorage('nas-backup', { node: 'pve2', active: false })
  const activeOn = async (node: string) => {
    const storages = (await ask(`/nodes/${node}/storage`)).data as Item[]
    return storages.find(({ storage }) => storage === 'nas-backup')!.active
  }
  expect([await activeOn('pve1'), await activeOn('pve2')]).toEqual([1, 0])
  expect(await ask('/nodes/pve2/storage/nas-backup/content')).toMatchObject({
    status: 500,
    text: "storage 'nas-backup' is not online",
  })
  await lab.control.reset()
  expect(await activeOn('pve2')).toBe(1)
})
