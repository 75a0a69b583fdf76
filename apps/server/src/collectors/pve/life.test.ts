import { Secret } from '@pulse/domain'
import type { FaultSpec } from '@pulse/lab'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

test.concurrent('stopped while its first listing is being read: no loop is left behind', async (context) => {
  const { lab, start, until, pass, timers } = await given(context, { nodes: 2, guests: 6, factor: 40 })
  const path = '/cluster/resources'
  lab.control.addFault({ kind: 'latency', ms: 300, path, times: 1 })
  const collector = start()
  await until('the question', () => lab.requests({ path }).total > 0)
  while (collector.totals().durations['cluster/resources'] === undefined) {
    await new Promise((resolve) => void setImmediate(resolve))
  }
  await collector.stop()
  await pass(2) // earlier calls have arrived
  const before = lab.requests().total
  await pass(60)
  expect([lab.requests().total, timers()]).toEqual([before, 0])
})

test.concurrent(
  'another name and other flags are taken up at once, and nothing that was learned is lost',
  async (context) => {
    const { lab, start, until, records, state, pass } = await given(context, { nodes: 2, guests: 12 })
    const collector = start()
    const probed = () => records('guests').filter((guest) => guest.osName).length
    await until('what only probing tells', () => probed() > 1, 150)
    const before = records('guests')
    lab.control.resetRequests()

    collector.apply({ name: 'renamed', flags: {} })
    await until('the name', () => state().name === 'renamed', 1)
    for (const guest of records('guests')) expect(guest.instance).toBe('renamed')
    for (const { vmid, osName, ipAddresses, disk } of before) {
      expect(records('guests').find((guest) => guest.vmid === vmid)).toMatchObject({
        ...(osName && { osName }),
        ...(ipAddresses && { ipAddresses }),
        disk,
      })
    }
    expect(state().health).toBe('healthy')

    collector.apply({ name: 'renamed', flags: { monitorContainers: false, monitorStorage: false } })
    await until('no containers', () => records('guests').every(({ type }) => type === 'qemu'), 1)
    expect(records('storage')).toEqual([])
    expect(probed()).toBeGreaterThan(1)
    collector.apply({ name: 'renamed', flags: { monitorContainers: true, monitorStorage: true } })
    await until(
      'both again',
      () => records('guests').length === before.length && records('storage').length > 0,
      15,
    )
    await pass(1)
    for (const path of ['/access/permissions', '/cluster/status']) {
      expect(lab.requests({ path }).total).toBeLessThanOrEqual(2)
    }
  },
)

test.concurrent(
  '[proxmox-api 1.1] a ticket that ends early is renewed and the call made once more: no error is ever shown',
  async (context) => {
    let aheadMs = 0
    const startMs = Date.now()
    const now = () => startMs + aheadMs
    const { lab, start, until, state, isComplete, pass } = await given(context, { nodes: 3, guests: 0, now })
    const { user, password } = lab.credentials
    const collector = start({ auth: { type: 'password', user, password: new Secret(password) } })
    await until('the whole picture', isComplete, 30)
    const before = collector.totals()
    aheadMs = 3 * 3_600_000
    const errors: string[] = []
    for (let second = 0; second < 40; second++) {
      await pass(1)
      if (state().error !== undefined) errors.push(state().error!)
    }
    expect(errors).toEqual([])
    expect(collector.totals().cycles - before.cycles).toBeGreaterThanOrEqual(3)
    expect(lab.requests({ path: '/access/ticket' }).total).toBeLessThanOrEqual(2 * 4)
  },
)

const brokenListings: [string, Omit<FaultSpec, 'path'>][] = [
  ['is unknown there', { kind: 'status', status: 501 }],
  ['ends in an error', { kind: 'status', status: 500 }],
  ['comes broken', { kind: 'broken-json' }],
  ['never comes', { kind: 'hang' }],
]
test.concurrent.for(brokenListings)(
  '[facts 1.2] the listing of the cluster %s from the first moment on: the nodes list their guests',
  async ([, fault], context) => {
    const { lab, start, until, state, records, pass } = await given(context, { nodes: 2, guests: 8 })
    lab.control.addFault({ ...fault, path: '/cluster/resources' })
    start()
    const expected = lab.control.guests().filter((guest) => !guest.template)
    await until('all guests', () => records('guests').length === expected.length, 40)
    await pass(90)
    expect(
      records('guests')
        .map(({ vmid }) => vmid)
        .sort(),
    ).toEqual(expected.map(({ vmid }) => vmid).sort())
    expect(records('guests').every((guest) => guest.staleSince === undefined)).toBe(true)
    expect(records('nodes').every((node) => node.status === 'online')).toBe(true)
    expect(state().health).toBe('healthy')
  },
)
