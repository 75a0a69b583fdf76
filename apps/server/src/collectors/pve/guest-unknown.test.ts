import { Guest } from '@pulse/contract'
import { expect, test } from 'vitest'
import { learnReport, newFacts, type GuestFacts } from './guest-facts.ts'
import { sampleReport } from './guest-rates.ts'
import { GuestCache } from './guests.ts'
import type { MapContext } from './map.ts'
import { readNodeList } from './part-node-guests.ts'
import { PveGuest, PveGuestStatus } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}
const entry = (fields: object = {}) =>
  PveGuest.parse({
    vmid: 100,
    type: 'qemu',
    node: 'pve1',
    status: 'running',
    uptime: 500,
    cpu: 0.2,
    maxmem: 8_000,
    mem: 4_000,
    maxdisk: 32_000,
    ...fields,
  })

function given(...entries: PveGuest[]) {
  const cache = new GuestCache({ qemu: true, lxc: true })
  cache.list(entries.length > 0 ? entries : [entry()], 0)
  return {
    cache,
    facts: () => cache.get(100)!,
    guest: () => Guest.parse([...cache.records(context).values()][0]),
    report: (fields: object, at = 1_000) =>
      cache.learn(100, (facts) => learnReport(facts, PveGuestStatus.parse(fields), at), at),
    learn: (change: (facts: GuestFacts) => void, at = 2_000) => cache.learn(100, change, at),
  }
}

test('a listing without cpu says nothing about it, which is not 0', () => {
  expect(given(entry({ cpu: undefined })).guest()).not.toHaveProperty('cpu')
  expect(given(entry({ cpu: undefined, status: 'stopped' })).guest().cpu).toBe(0)
})

test('a listing of 0 bytes of memory does not beat what status/current tells', () => {
  const { report, guest } = given(entry({ mem: 0 }))
  expect(guest()).not.toHaveProperty('memory')
  report({ mem: 3_000 })
  expect(guest().memory?.used).toBe(3_000)
})

test('one listing without memory does not blank it', () => {
  const { cache, guest } = given()
  cache.list([entry({ mem: 0, uptime: 510 })], 10_000)
  expect(guest().memory?.used).toBe(4_000)
  cache.list([entry({ mem: 0, uptime: 580 })], 80_000)
  expect(guest()).not.toHaveProperty('memory')
})

test('counters that status/current leaves out make no rate of 0', () => {
  const { learn, guest } = given()
  for (const at of [10_000, 110_000]) {
    const report = PveGuestStatus.parse({ netin: at, netout: at })
    learn((facts) => sampleReport(facts, report, at), at)
  }
  expect(guest()).toMatchObject({ networkIn: 1_000, networkOut: 1_000 })
  expect(guest()).not.toHaveProperty('diskRead')
})

test('swap whose use is not reported is not empty', () => {
  const { report, guest } = given(entry({ type: 'lxc', disk: 8_000 }))
  report({ maxswap: 500 })
  expect(guest().memory).toMatchObject({ swapTotal: 500 })
  expect(guest().memory).not.toHaveProperty('swapUsed')
})

test('a running container whose disk reads 0 was not measured', () => {
  expect(given(entry({ type: 'lxc', disk: 0 })).guest().disk).toEqual({ total: 32_000 })
  expect(given(entry({ type: 'lxc' })).guest().disk).toEqual({ total: 32_000 })
  expect(given(entry({ type: 'lxc', disk: 0, status: 'stopped' })).guest().disk?.usage).toBe(0)
})

test("a node's own list knows the host's view of a VM, which does not pass for the guest's", () => {
  const [listed] = readNodeList('qemu', 'pve1', [
    { vmid: 100, status: 'running', mem: 7_900, maxmem: 8_000, uptime: 510, cpus: 2 },
  ])
  const { cache, report, guest } = given()
  report({ mem: 3_000, agent: 1 })
  cache.list([listed!], 10_000, 'pve1')
  expect(guest().memory?.used).toBe(3_000)
})

test.each(['paused', 'suspended', 'io-error', 'prelaunch'])(
  'a VM that QEMU calls %s is shown as that, with its memory and without load',
  (qmpstatus) => {
    const { report, guest } = given()
    report({ qmpstatus, mem: 4_000, agent: 1 })
    expect(guest()).toMatchObject({ status: qmpstatus, cpu: 0, memory: { used: 4_000 } })
    expect(guest().diskStatusReason).toBe('vm-paused')
  },
)

test.each(['running', 'inmigrate', 'finish-migrate', 'postmigrate', undefined])(
  'a VM that QEMU calls %s runs',
  (qmpstatus) => {
    const { report, guest } = given()
    report({ qmpstatus, agent: 1 })
    expect(guest().status).toBe('running')
  },
)

test('what a paused VM holds stays: disks however long, and the share of its memory', () => {
  const { cache, report, learn, guest } = given()
  const disks = [{ total: 100, used: 25, free: 75, usage: 25 }]
  learn((facts) => {
    facts.disks = { total: 100, used: 25, disks, at: 500 }
    facts.memoryShare = { source: 'agent', share: 0.5, used: 2_000, at: 500 }
  }, 500)
  report({ qmpstatus: 'paused', agent: 1 })
  for (let hours = 1; hours < 12; hours++)
    cache.list([entry({ uptime: 500 + hours * 3600 })], hours * 3_600_000)
  expect(guest()).toMatchObject({ status: 'paused', disk: { usage: 25 }, memory: { used: 2_000 } })
  expect(guest()).not.toHaveProperty('diskStatusReason')
  expect(guest().memory).not.toHaveProperty('estimate')
})

test('processors that stand still, or start again, are a reason to ask for the status next', () => {
  const { cache, facts, report } = given()
  expect([...facts().wants]).toEqual([])
  cache.list([entry({ cpu: 0, uptime: 510 })], 10_000)
  expect([...facts().wants]).toEqual(['status'])
  facts().wants.clear()
  report({ qmpstatus: 'paused', agent: 1 }, 11_000)
  cache.list([entry({ cpu: 0, uptime: 520 })], 20_000)
  expect([...facts().wants]).toEqual([])
  cache.list([entry({ cpu: 0.1, uptime: 530 })], 30_000)
  expect([...facts().wants]).toEqual(['status'])
})

test('a VM that is first seen with processors that stand still is asked for its status first', () => {
  const wants = (fields: object) => [...newFacts(entry(fields), 0).wants]
  expect(wants({ cpu: 0 })).toEqual(['status'])
  expect(wants({ cpu: 0.01 })).toEqual([])
  expect(wants({ cpu: 0, status: 'stopped' })).toEqual([])
  expect(wants({ cpu: 0, type: 'lxc' })).toEqual([])
})

test('a first figure says that it is an estimate until the agent reports, or cannot', () => {
  const { learn, guest } = given()
  expect(guest().memory?.estimate).toBe('agent-pending')
  learn((facts) => (facts.memoryShare = { source: 'agent', share: 0.5, used: 2_000, at: 2_000 }))
  expect(guest().memory).toEqual({ total: 8_000, used: 2_000, free: 6_000, usage: 25 })

  const without = given()
  without.learn((facts) => (facts.agentKnown = false))
  expect(without.guest().memory).not.toHaveProperty('estimate')
  expect(given(entry({ type: 'lxc', disk: 1 })).guest().memory).not.toHaveProperty('estimate')
})
