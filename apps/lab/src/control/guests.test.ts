import { expect, test } from 'vitest'
import { aLab, guestsIn } from '../fixtures.ts'

const noon = Date.parse('2026-07-01T12:00:03Z')

test('pinned figures appear in the next answer and everywhere, until they are released', async () => {
  const { lab, ask, guestPath } = await aLab({ now: () => noon })
  const before = guestsIn(await ask('/cluster/resources')).get(101)!
  lab.control.patchGuest(101, { cpu: 0.95, memUsed: 123_456_789 })
  expect(guestsIn(await ask('/cluster/resources')).get(101)).toMatchObject({ cpu: 0.95, mem: 123_456_789 })
  expect((await ask(`${guestPath(101)}/status/current`)).data).toMatchObject({ cpu: 0.95, mem: 123_456_789 })
  expect(lab.control.guest(101).pins).toEqual({ cpu: 0.95, memUsed: 123_456_789 })
  lab.control.patchGuest(101, { cpu: null, memUsed: null })
  expect(guestsIn(await ask('/cluster/resources')).get(101)).toEqual(before)
})

test('a pinned rate moves its counter, which then continues from its value', async () => {
  let nowMs = noon
  const { lab, ask } = await aLab({ now: () => nowMs, loadPeriodMs: 0 })
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

test('a pinned rate survives a restart; counters start at zero', async () => {
  let nowMs = noon
  const { lab, ask } = await aLab({ now: () => nowMs, loadPeriodMs: 0 })
  lab.control.patchGuest(100, { diskWriteRate: 500 })
  lab.control.patchGuest(100, { status: 'stopped' })
  lab.control.patchGuest(100, { status: 'running' })
  nowMs += 4000
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({ diskwrite: 2000, uptime: 4 })
})

test('a stopped guest has no figures, and a started one has new ones', async () => {
  let nowMs = noon
  const { lab, ask } = await aLab({ now: () => nowMs, loadPeriodMs: 0 })
  const guest = async () => guestsIn(await ask('/cluster/resources')).get(100)!
  lab.control.patchGuest(100, { status: 'stopped' })
  expect(await guest()).toMatchObject({
    status: 'stopped',
    cpu: 0,
    mem: 0,
    uptime: 0,
    netin: 0,
    diskwrite: 0,
  })
  lab.control.patchGuest(100, { status: 'running' })
  nowMs += 5000
  const started = await guest()
  expect(started).toMatchObject({ status: 'running', uptime: 5 })
  expect(Number(started.netin)).toBeGreaterThan(0)
  expect(Number(started.netin)).toBeLessThan(1e9)
})

test('a paused VM is running to the cluster and paused to QEMU', async () => {
  const { lab, ask, guestPath } = await aLab()
  lab.control.patchGuest(100, { status: 'paused' })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({ status: 'running', cpu: 0 })
  expect((await ask(`${guestPath(100)}/status/current`)).data).toMatchObject({
    status: 'running',
    qmpstatus: 'paused',
  })
})

test('names, tags, locks and sizes change', async () => {
  const { lab, ask, guestPath } = await aLab()
  lab.control.patchGuest(100, {
    name: 'renamed',
    tags: 'a;b',
    lock: 'backup',
    cores: 12,
    maxMem: 2 ** 34,
    uptime: 300,
  })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({
    name: 'renamed',
    tags: 'a;b',
    lock: 'backup',
    maxcpu: 12,
    maxmem: 2 ** 34,
    uptime: 300,
  })
  lab.control.patchGuest(100, { name: null, tags: null, lock: null })
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toEqual(
    expect.not.objectContaining({ tags: expect.anything() as unknown, lock: expect.anything() as unknown }),
  )
  expect(guestsIn(await ask('/cluster/resources')).get(100)).toMatchObject({ name: 'VM 100' })
  expect((await ask(`${guestPath(100)}/config`)).data).not.toHaveProperty('name')
})

test('a migrated guest is only on the new node, with new counters', async () => {
  let nowMs = noon
  const { lab, ask } = await aLab({ now: () => nowMs, loadPeriodMs: 0 })
  const { node: from } = lab.control.guest(104)
  const to = from === 'pve2' ? 'pve1' : 'pve2'
  lab.control.migrateGuest(104, to)
  nowMs += 3000
  expect(guestsIn(await ask('/cluster/resources')).get(104)).toMatchObject({
    node: to,
    uptime: 3,
    status: 'running',
  })
  expect((await ask(`/nodes/${from}/qemu/104/config`)).text).toContain(
    `nodes/${from}/qemu-server/104.conf' does not exist`,
  )
  expect((await ask(`/nodes/${to}/qemu/104/config`)).status).toBe(200)
})

test('guests can be added and removed', async () => {
  const { lab, ask } = await aLab()
  const made = lab.control.createGuest({ kind: 'lxc', node: 'pve2', name: 'new', tags: 'x', cpu: 0.5 })
  expect(made.vmid).toBe(175)
  expect(guestsIn(await ask('/cluster/resources')).get(175)).toMatchObject({
    type: 'lxc',
    node: 'pve2',
    name: 'new',
    cpu: 0.5,
  })
  lab.control.deleteGuest(175)
  expect(guestsIn(await ask('/cluster/resources')).has(175)).toBe(false)
  expect(lab.control.createGuest({}).vmid).toBe(175)
})
