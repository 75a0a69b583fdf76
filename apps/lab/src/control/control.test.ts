import { describe, expect, test } from 'vitest'
import { givenLab, guestsIn } from '../given.ts'
import { ControlError } from './check.ts'

const noon = Date.parse('2026-07-01T12:00:03Z')

test('pinned figures show in the very next answer and everywhere, until they are let go', async () => {
  const { lab, ask, guestPath } = await givenLab({ now: () => noon })
  const before = guestsIn(await ask('/cluster/resources')).get(101)!
  lab.control.patchGuest(101, { cpu: 0.95, memUsed: 123_456_789 })
  expect(guestsIn(await ask('/cluster/resources')).get(101)).toMatchObject({ cpu: 0.95, mem: 123_456_789 })
  expect((await ask(`${guestPath(101)}/status/current`)).data).toMatchObject({ cpu: 0.95, mem: 123_456_789 })
  expect(lab.control.guest(101).pins).toEqual({ cpu: 0.95, memUsed: 123_456_789 })
  lab.control.patchGuest(101, { cpu: null, memUsed: null })
  expect(guestsIn(await ask('/cluster/resources')).get(101)).toEqual(before)
})

test('a pinned rate moves its counter, which then goes on from where it is', async () => {
  let nowMs = noon
  const { lab, ask } = await givenLab({ now: () => nowMs, loadPeriodMs: 0 })
  const netin = async () => Number(guestsIn(await ask('/cluster/resources')).get(100)!.netin)
  const start = await netin()
  lab.control.patchGuest(100, { netInRate: 1_000_000 })
  nowMs += 10_000
  expect(await netin()).toBe(start + 10_000_000)
  lab.control.patchGuest(100, { netInRate: null })
  expect(await netin()).toBe(start + 10_000_000)
  nowMs += 10_000
  expect(await netin()).toBeGreaterThan(start + 10_000_000)
})

test('a guest that is stopped has no figures, and one that starts has fresh ones', async () => {
  let nowMs = noon
  const { lab, ask } = await givenLab({ now: () => nowMs, loadPeriodMs: 0 })
  const guest = async () => guestsIn(await ask('/cluster/resources')).get(100)!
  lab.control.patchGuest(100, { status: 'stopped' })
  expect(await guest()).toMatchObject({ status: 'stopped', cpu: 0, mem: 0, uptime: 0, netin: 0, diskwrite: 0 })
  lab.control.patchGuest(100, { status: 'running' })
  nowMs += 5000
  const started = await guest()
  expect(started).toMatchObject({ status: 'running', uptime: 5 })
  expect(Number(started.netin)).toBeGreaterThan(0)
  expect(Number(started.netin)).toBeLessThan(1e9)
})

test('a paused VM is running to the cluster and paused to QEMU', async () => {
  const { lab, ask, guestPath } = await givenLab()
  lab.control.patchGuest(100, { status: 'paused' })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({ status: 'running', cpu: 0 })
  expect((await ask(`${guestPath(100)}/status/current`)).data).toMatchObject({ status: 'running', qmpstatus: 'paused' })
})

test('names, tags, locks and sizes change', async () => {
  const { lab, ask, guestPath } = await givenLab()
  lab.control.patchGuest(100, { name: 'renamed', tags: 'a;b', lock: 'backup', cores: 12, maxMem: 2 ** 34, uptime: 300 })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({
    name: 'renamed', tags: 'a;b', lock: 'backup', maxcpu: 12, maxmem: 2 ** 34, uptime: 300,
  })
  lab.control.patchGuest(100, { name: null, tags: null, lock: null })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toEqual(
    expect.not.objectContaining({ tags: expect.anything() as unknown, lock: expect.anything() as unknown }),
  )
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({ name: 'VM 100' })
  expect((await ask(`${guestPath(100)}/config`)).data).not.toHaveProperty('name')
})

test('a guest that moves is at the new place only, with counters that start again', async () => {
  let nowMs = noon
  const { lab, ask } = await givenLab({ now: () => nowMs, loadPeriodMs: 0 })
  const { node: from } = lab.control.guest(104)
  const to = from === 'pve2' ? 'pve1' : 'pve2'
  lab.control.migrateGuest(104, to)
  nowMs += 3000
  expect(guestsIn(await ask('/cluster/resources')).get(104)).toMatchObject({ node: to, uptime: 3, status: 'running' })
  expect((await ask(`/nodes/${from}/qemu/104/config`)).text).toContain(`nodes/${from}/qemu-server/104.conf' does not exist`)
  expect((await ask(`/nodes/${to}/qemu/104/config`)).status).toBe(200)
})

test('guests come and go', async () => {
  const { lab, ask } = await givenLab()
  const made = lab.control.createGuest({ kind: 'lxc', node: 'pve2', name: 'new', tags: 'x', cpu: 0.5 })
  expect(made.vmid).toBe(175)
  expect(guestsIn(await ask('/cluster/resources')).get(175)).toMatchObject({ type: 'lxc', node: 'pve2', name: 'new', cpu: 0.5 })
  lab.control.deleteGuest(175)
  expect(guestsIn(await ask('/cluster/resources')).has(175)).toBe(false)
  expect(lab.control.createGuest({}).vmid).toBe(175)
})

test('nodes and storages take pinned figures too', async () => {
  const { lab, ask } = await givenLab()
  await lab.control.patchNode('pve1', { cpu: 0.5, memUsed: 7e9, diskUsed: 8e9, uptime: 60 })
  expect((await ask('/nodes')).data).toContainEqual(
    expect.objectContaining({ node: 'pve1', cpu: 0.5, mem: 7e9, disk: 8e9, uptime: expect.closeTo(60, -1) as unknown }),
  )
  lab.control.patchStorage('nas-backup', { used: 1e12 })
  lab.control.patchStorage('local', { node: 'pve2', active: false })
  expect((await ask('/nodes/pve3/storage')).data).toContainEqual(expect.objectContaining({ storage: 'nas-backup', used: 1e12 }))
  const local = async (node: string) =>
    ((await ask(`/nodes/${node}/storage`)).data as { storage: string; active: number }[]).find(({ storage }) => storage === 'local')!.active
  expect([await local('pve1'), await local('pve2')]).toEqual([1, 0])
  expect((await ask('/cluster/resources')).data).toContainEqual(
    expect.objectContaining({ id: 'storage/pve2/local', status: 'unknown' }),
  )
  lab.control.patchStorage('nas-vm', { enabled: false })
  expect((await ask('/storage')).data).toContainEqual(expect.objectContaining({ storage: 'nas-vm', disable: 1 }))
  expect((await ask('/nodes/pve1/storage?enabled=1')).data).not.toContainEqual(expect.objectContaining({ storage: 'nas-vm' }))
})

test('pools and disks fall ill', async () => {
  const { lab, ask } = await givenLab()
  await lab.control.patchNode('pve1', { pools: { rpool: 'DEGRADED' }, disks: { '/dev/sda': { health: 'FAILED!', wearout: 2 } } })
  expect((await ask('/nodes/pve1/disks/zfs')).data).toContainEqual(expect.objectContaining({ name: 'rpool', health: 'DEGRADED' }))
  const detail = JSON.stringify((await ask('/nodes/pve1/disks/zfs/rpool')).data)
  expect(detail).toContain('"state":"REMOVED"')
  expect((await ask('/nodes/pve1/disks/list')).data).toContainEqual(
    expect.objectContaining({ devpath: '/dev/sda', health: 'FAILED!', wearout: 2 }),
  )
})

test('reset ends every trouble at once', async () => {
  const { lab, ask } = await givenLab({ now: () => noon })
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

describe('what makes no sense is refused', () => {
  test.each([
    ['an unknown guest', 404, 'no guest 999 in prod'],
    ['an unknown cluster', 404, 'no cluster nowhere; there is prod'],
    ['an unknown node', 404, 'no node pve9 in prod; there is pve1, pve2, pve3'],
    ['an unknown field', 400, 'guest has no field colour; it takes cpu'],
    ['a processor share that is a text', 400, 'guest.cpu must be a number from 0 to 1024, not "high"'],
    ['an unknown status', 400, 'guest.status must be one of running, stopped, paused, not "on"'],
    ['no object', 400, 'guest must be an object'],
    ['a VMID in use', 409, 'guest 100 exists already'],
    ['a move to a node that is down', 409, 'node pve3 is offline'],
    ['an unknown fault', 400, 'fault.kind must be one of latency'],
    ['a fault without kind', 400, 'fault.kind is missing'],
    ['latency without milliseconds', 400, 'fault.ms is missing'],
    ['a fault on an unknown node', 404, 'no node pve9'],
    ['an unknown token', 404, 'no token a@b!c'],
  ])('%s: %i', async (what, status, message) => {
    const { lab } = await givenLab()
    const { control } = lab
    await control.patchNode('pve3', { online: false })
    const attempts: Record<string, () => unknown> = {
      'an unknown guest': () => control.patchGuest(999, {}),
      'an unknown cluster': () => control.guests('nowhere'),
      'an unknown node': () => control.migrateGuest(100, 'pve9'),
      'an unknown field': () => control.patchGuest(100, { colour: 'red' } as object),
      'a processor share that is a text': () => control.patchGuest(100, { cpu: 'high' } as object),
      'an unknown status': () => control.patchGuest(100, { status: 'on' } as object),
      'no object': () => control.patchGuest(100, [] as object),
      'a VMID in use': () => control.createGuest({ vmid: 100 }),
      'a move to a node that is down': () => control.migrateGuest(100, 'pve3'),
      'an unknown fault': () => control.addFault({ kind: 'fire' } as never),
      'a fault without kind': () => control.addFault({} as never),
      'latency without milliseconds': () => control.addFault({ kind: 'latency' }),
      'a fault on an unknown node': () => control.addFault({ kind: 'hang', node: 'pve9' }),
      'an unknown token': () => control.patchToken('a@b!c', {}),
    }
    const error = await Promise.resolve()
      .then(attempts[what]!)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ControlError)
    expect(error).toMatchObject({ status, message: expect.stringContaining(message) as unknown })
  })
})
