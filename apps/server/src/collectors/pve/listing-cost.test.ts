import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { GuestCache, guestsPerStep } from './guests.ts'
import type { MapContext } from './map.ts'
import { takeResources } from './resources.ts'
import { PveGuest } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}
const count = 1_000
const running = { status: 'running', cpu: 0.1, mem: 2e9, netin: 5, netout: 6, uptime: 500 }

/** A listing whose lines record reads. */
function listingOf(change: (vmid: number) => object) {
  const looked = new Set<number>()
  const watch = (line: PveGuest) =>
    new Proxy(line, {
      get(target, field) {
        looked.add(target.vmid)
        return target[field as keyof PveGuest]
      },
    })
  const lines = Array.from({ length: count }, (_, index) => {
    const vmid = 100 + index
    const state = vmid % 5 === 0 ? { status: 'stopped', uptime: 0 } : running
    return watch(
      PveGuest.parse({
        vmid,
        type: vmid % 3 ? 'qemu' : 'lxc',
        node: 'pve1',
        name: `guest ${vmid}`,
        maxmem: 4e9,
        maxdisk: 32e9,
        ...state,
        ...change(vmid),
      }),
    )
  })
  const lookedAt = () => {
    const seen = [...looked]
    looked.clear()
    return seen
  }
  return { lines, lookedAt }
}

function given() {
  const { now, suspend } = fakeClock(0)
  const cache = new GuestCache({ qemu: true, lxc: true })
  /** Collects the guests that were read while the records were made. */
  const poll = (change: (vmid: number) => object = () => ({})) => {
    suspend(10_000)
    const { lines, lookedAt } = listingOf(change)
    cache.list(lines, now())
    lookedAt()
    const records = cache.records(context, now())
    return { records, mapped: lookedAt() }
  }
  return { cache, poll, now }
}

test('a listing that says the same again maps nothing, and is the same map', () => {
  const { poll } = given()
  const first = poll()
  expect(first.mapped).toHaveLength(count)
  poll() // rates are known from the second listing on
  const before = poll()
  const again = poll()
  expect(again.records).toBe(before.records)
  expect(again.mapped).toEqual([])
})

test('of a listing with k new lines k are mapped, and all others keep their record', () => {
  const { poll } = given()
  poll()
  poll()
  const before = poll().records
  const isNew = (vmid: number) => vmid % 50 === 1
  const { records, mapped } = poll((vmid) => (isNew(vmid) ? { cpu: 0.7 } : {}))
  expect(mapped.toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, index) => 100 + index).filter(isNew),
  )
  for (const [key, { vmid, cpu }] of records) {
    if (isNew(vmid)) expect(cpu).toBe(0.7)
    else expect(records.get(key)).toBe(before.get(key))
  }
})

test('[design 9] at most some hundred guests are taken in or mapped before others have their turn', () => {
  const { cache, now } = given()
  const { lines, lookedAt } = listingOf(() => ({}))
  let most = 0
  const stepsOf = (steps: Iterable<unknown>, ids: () => unknown[]) => {
    let times = 0
    for (const _ of steps) {
      times++
      most = Math.max(most, ids().length)
    }
    most = Math.max(most, ids().length)
    return times
  }
  lookedAt()
  const enough = count / guestsPerStep - 1
  expect(stepsOf(cache.listing(lines, now(), undefined, 15_000), lookedAt)).toBeGreaterThanOrEqual(enough)
  expect(stepsOf(cache.map(context, now()), lookedAt)).toBeGreaterThanOrEqual(enough)
  expect(most).toBeLessThanOrEqual(500)
  expect(cache.records(context, now()).size).toBe(count)
  expect(lookedAt()).toEqual([])
})

test('lines are read as they come in, and one that cannot be read does not cost the others', () => {
  const { take, nodes, guests, storages } = takeResources()
  const lines = [
    { type: 'node', node: 'pve1', status: 'online' },
    null,
    { type: 'qemu', vmid: 'x', node: 'pve1' },
    { type: 'qemu', vmid: '100', node: 'pve1' },
    { type: 'storage', storage: 'local', node: 'pve1' },
    { type: 'pool', pool: 'a' },
  ]
  for (const line of lines) take(line)
  expect(nodes.map(({ node }) => node)).toEqual(['pve1'])
  expect(guests.map(({ vmid }) => vmid)).toEqual([100])
  expect(storages.map(({ storage }) => storage)).toEqual(['local'])
})

test('what changes between the steps is in the picture all the same', () => {
  const { cache, now } = given()
  cache.list(listingOf(() => ({})).lines, now())
  const steps = cache.map(context, now())
  steps.next()
  cache.learn(100, (facts) => (facts.lock = 'backup'), now())
  cache.want({ qemu: true, lxc: false })
  for (const _ of steps);
  const records = [...cache.records(context, now()).values()]
  expect(records.every(({ type }) => type === 'qemu')).toBe(true)
  expect(records.find(({ vmid }) => vmid === 100)?.lock).toBe('backup')
})
