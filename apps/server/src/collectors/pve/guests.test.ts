import { Guest } from '@pulse/contract'
import { expect, test } from 'vitest'
import { countedOf, learnShare } from './guest-facts.ts'
import { shareByAgent } from './guest-memory.ts'
import { sampleReport } from './guest-rates.ts'
import { GuestCache } from './guests.ts'
import type { MapContext } from './map.ts'
import { PveGuest, PveGuestStatus } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}
const guest = (fields: object = {}) =>
  PveGuest.parse({
    vmid: 100,
    type: 'qemu',
    node: 'pve1',
    name: 'web',
    status: 'running',
    maxmem: 8,
    mem: 2,
    uptime: 500,
    ...fields,
  })
const vague = (fields: object = {}) =>
  PveGuest.parse({ vmid: 100, type: 'qemu', node: 'pve1', status: 'unknown', ...fields })

function given() {
  const cache = new GuestCache({ qemu: true, lxc: true })
  return { cache, records: () => cache.records(context), only: () => [...cache.records(context).values()][0] }
}

test('[facts 6.3.18] a guest that is missing for a moment stays, marked as stale, and is gone after a minute', () => {
  const { cache, only, records } = given()
  cache.list([guest()], 0)
  cache.list([], 10_000)
  expect(only()).toMatchObject({ name: 'web', staleSince: 0 })
  cache.list([], 69_999)
  expect(records().size).toBe(1)
  cache.list([], 70_000)
  expect(records().size).toBe(0)
})

test('[M 3.1] a guest that is missing for a moment keeps its lock: its backup has not ended', () => {
  const { cache, only } = given()
  cache.list([guest({ lock: 'backup' })], 0)
  cache.list([], 10_000)
  expect(only()).toMatchObject({ lock: 'backup', staleSince: 0 })
})

test('a guest that comes back within the minute is as before', () => {
  const { cache, only } = given()
  cache.list([guest()], 0)
  cache.list([], 10_000)
  cache.list([guest()], 20_000)
  expect(only()).not.toHaveProperty('staleSince')
  cache.list([], 100_000)
  expect(only()).toBeDefined()
})

test('[facts 6.3.20] a migration changes node and wire id, not the key, and keeps what was learned', () => {
  const { cache, records, only } = given()
  cache.list([guest()], 0)
  cache.learn(100, (facts) => (facts.os = { name: 'Debian', version: '12' }), 1)
  expect([...records().keys()]).toEqual(['c1:100'])
  cache.list([guest({ node: 'pve2' })], 10_000)
  expect([...records().keys()]).toEqual(['c1:100'])
  expect(only()).toMatchObject({ id: 'main-pve2-100', node: 'pve2', osName: 'Debian' })
})

test('while it migrates, the entry with figures counts, whichever comes first', () => {
  const entries = [guest({ node: 'pve2' }), vague()]
  for (const order of [entries, entries.toReversed()]) {
    const { cache, only } = given()
    cache.list(order, 0)
    expect(only()).toMatchObject({ node: 'pve2', status: 'running' })
  }
})

test('[facts 1.5] guests of a dead node keep their name and are unknown', () => {
  const { cache, only } = given()
  cache.list([guest()], 1_000)
  cache.list([vague()], 11_000)
  expect(only()).toMatchObject({ name: 'web', status: 'unknown', cpu: 0, staleSince: 1_000 })
  expect(only()).not.toHaveProperty('startedAt')
  cache.list([vague()], 500_000)
  expect(only()).toMatchObject({ name: 'web', status: 'unknown' })
})

test('a guest first met on a dead node has at least its number', () => {
  const { cache, only } = given()
  cache.list([vague()], 0)
  expect(only()).toMatchObject({ name: 'VM 100', status: 'unknown' })
})

test('[facts 1.5] templates are skipped, also when their dead node does not say that they are', () => {
  const { cache, records } = given()
  cache.list([guest({ template: 1 })], 0)
  cache.list([vague()], 10_000)
  expect(records().size).toBe(0)
})

test('kinds that are not wanted do not appear', () => {
  const cache = new GuestCache({ qemu: false, lxc: true })
  cache.list([guest(), guest({ vmid: 101, type: 'lxc' })], 0)
  expect([...cache.records(context).keys()]).toEqual(['c1:101'])
})

test('a number that is used again for another kind of guest inherits nothing', () => {
  const { cache, only } = given()
  cache.list([guest()], 0)
  cache.learn(100, (facts) => (facts.os = { name: 'Debian', version: '' }), 1)
  cache.list([guest({ type: 'lxc' })], 10_000)
  expect(only()).not.toHaveProperty('osName')
})

test('unchanged guests keep their record, and nothing changed is the same map', () => {
  const { cache, records } = given()
  cache.list([guest(), guest({ vmid: 101 })], 0)
  const before = records()
  cache.list([guest({ uptime: 510 }), guest({ vmid: 101, uptime: 510, mem: 3 })], 10_000)
  const after = records()
  expect(after.get('c1:100')).toBe(before.get('c1:100'))
  expect(after.get('c1:101')).not.toBe(before.get('c1:101'))
  cache.list([guest({ uptime: 520 }), guest({ vmid: 101, uptime: 520, mem: 3 })], 20_000)
  expect(records()).toBe(after)
})

test('rates come from the listing, and from the guest itself where the listing has no counters', () => {
  const { cache, only } = given()
  cache.list([guest({ netin: 1_000, netout: 500 })], 0)
  expect(only()).not.toHaveProperty('networkIn')
  cache.list([guest({ netin: 3_000, netout: 1_000 })], 10_000)
  for (const at of [10_000, 110_000]) {
    const report = PveGuestStatus.parse({ netin: at * 9, diskread: at, diskwrite: at * 2 })
    cache.learn(100, (facts) => sampleReport(facts, report, at), at)
  }
  expect(only()).toMatchObject({ networkIn: 200, networkOut: 50, diskRead: 1_000, diskWrite: 2_000 })
})

test('a restarted guest forgets what was measured before', () => {
  const { cache, only } = given()
  cache.list([guest({ netin: 1_000, netout: 1 })], 0)
  cache.list([guest({ netin: 2_000, netout: 1, uptime: 510 })], 10_000)
  const answer = { available: 7, total: 8, free: 6 }
  cache.learn(
    100,
    (facts) => learnShare(facts, shareByAgent(answer, countedOf(facts, 10_000), 10_000)),
    10_000,
  )
  expect(only()?.memory?.used).toBe(1)
  cache.list([guest({ netin: 10, netout: 1, uptime: 3, mem: 5 })], 20_000)
  expect(only()).not.toHaveProperty('networkIn')
  expect(only()?.memory?.used).toBe(5)
})

test('a list of one node says nothing about the others', () => {
  const { cache, records } = given()
  cache.list([guest(), guest({ vmid: 101, node: 'pve2' })], 0)
  cache.list([], 10_000, 'pve1')
  cache.list([], 80_000, 'pve1')
  expect([...records().keys()]).toEqual(['c1:101'])
})

test('[S13] a listing without end, of other guests each time, is remembered up to a bound', () => {
  const cache = new GuestCache({ qemu: true, lxc: true }, 100)
  for (let at = 0; at < 50_000; at += 10_000) {
    cache.list(
      Array.from({ length: 120 }, (_, n) => guest({ vmid: 100 + at + n })),
      at,
    )
    expect(cache.records(context).size).toBeLessThanOrEqual(100)
  }
})

test('[S13] what there is no room for is said, and taken in when there is room', () => {
  const cache = new GuestCache({ qemu: true, lxc: true }, 2_000)
  const list = (from: number, count: number, at: number, node?: string) =>
    cache.list(
      Array.from({ length: count }, (_, n) => guest({ vmid: from + n, node: node ?? 'pve1' })),
      at,
      node,
    )
  list(100, 2_000, 0)
  expect(cache.excess).toBeUndefined()
  list(100, 3_500, 10_000)
  expect(cache.excess).toBe('2,000 of 3,500 guests are shown, which is the limit of one connection')
  list(9_000, 5, 20_000, 'pve2')
  expect(cache.excess).toContain('2,000 of 3,505 guests')
  list(100, 2_000, 30_000)
  expect(cache.excess).toBeUndefined()
  expect(cache.size).toBe(2_000)
})

test('all records are what the contract accepts', () => {
  const { cache, records } = given()
  cache.list([guest(), vague({ vmid: 101 }), guest({ vmid: 102, type: 'lxc', status: 'stopped' })], 0)
  for (const record of records().values()) expect(Guest.safeParse(record).error).toBeUndefined()
})
