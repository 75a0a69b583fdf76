import { expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:03Z')

test('nodes and storages take pinned figures too', async () => {
  const { lab, ask } = await aLab()
  await lab.control.patchNode('pve1', { cpu: 0.5, memUsed: 7e9, diskUsed: 8e9, uptime: 60 })
  expect((await ask('/nodes')).data).toContainEqual(
    expect.objectContaining({
      node: 'pve1',
      cpu: 0.5,
      mem: 7e9,
      disk: 8e9,
      uptime: expect.closeTo(60, -1) as unknown,
    }),
  )
  lab.control.patchStorage('nas-backup', { used: 1e12 })
  lab.control.patchStorage('local', { node: 'pve2', active: false })
  expect((await ask('/nodes/pve3/storage')).data).toContainEqual(
    expect.objectContaining({ storage: 'nas-backup', used: 1e12 }),
  )
  const local = async (node: string) =>
    ((await ask(`/nodes/${node}/storage`)).data as { storage: string; active: number }[]).find(
      ({ storage }) => storage === 'local',
    )!.active
  expect([await local('pve1'), await local('pve2')]).toEqual([1, 0])
  expect((await ask('/cluster/resources')).data).toContainEqual(
    expect.objectContaining({ id: 'storage/pve2/local', status: 'unknown' }),
  )
  lab.control.patchStorage('nas-vm', { enabled: false })
  expect((await ask('/storage')).data).toContainEqual(
    expect.objectContaining({ storage: 'nas-vm', disable: 1 }),
  )
  expect((await ask('/nodes/pve1/storage?enabled=1')).data).not.toContainEqual(
    expect.objectContaining({ storage: 'nas-vm' }),
  )
})

test('pools and disks can be degraded', async () => {
  const { lab, ask } = await aLab()
  await lab.control.patchNode('pve1', {
    pools: { rpool: 'DEGRADED' },
    disks: { '/dev/sda': { health: 'FAILED!', wearout: 2 } },
  })
  expect((await ask('/nodes/pve1/disks/zfs')).data).toContainEqual(
    expect.objectContaining({ name: 'rpool', health: 'DEGRADED' }),
  )
  const detail = JSON.stringify((await ask('/nodes/pve1/disks/zfs/rpool')).data)
  expect(detail).toContain('"state":"REMOVED"')
  expect((await ask('/nodes/pve1/disks/list')).data).toContainEqual(
    expect.objectContaining({ devpath: '/dev/sda', health: 'FAILED!', wearout: 2 }),
  )
})

test('a reset ends every problem at once', async () => {
  const { lab, ask } = await aLab({ now: () => noon })
  const before = (await ask('/cluster/resources')).body
  await lab.control.patchNode('pve2', { online: false })
  lab.control.patchGuest(100, { cpu: 0.9, netOutRate: 5 })
  lab.control.patchCluster({ quorate: false })
  lab.control.patchToken(lab.credentials.tokenId, { drop: ['*'] })
  lab.control.addFault({ kind: 'hang' })
  await lab.control.reset()
  expect((await ask('/cluster/resources')).body).toBe(before)
  expect((await ask('/version', { node: 'pve2' })).status).toBe(200)
})
