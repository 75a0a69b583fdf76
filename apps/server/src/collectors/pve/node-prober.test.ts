import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { CircuitBreaker } from '../../timing/circuit-breaker.ts'
import { Tally } from '../tally.ts'
import { GuestCache } from './guests.ts'
import type { ProbeContext } from './probe.ts'
import { NodeProber } from './node-prober.ts'
import { PveGuest } from './schema.ts'

const minute = 60_000
const guestsPerNode = 40

/** A prober per node with guests, and the times of all probes. */
function given(nodes: number, typeOf = (_vmid: number): 'qemu' | 'lxc' => 'qemu') {
  const clock = fakeClock(0)
  const guests = new GuestCache({ qemu: true, lxc: true })
  const asked: { node: string; guest: string; at: number }[] = []
  const context = {
    clock,
    guests,
    gateway: {
      hasRoom: () => true,
      node: (node: string, path: string) => {
        asked.push({ node, guest: path.split('/')[2]!, at: clock.monotonic() })
        return Promise.resolve({ data: {}, at: clock.monotonic() })
      },
    },
    budget: { probes: () => ({ take: () => 0 }) },
    tally: new Tally(),
    snapshots: { isWanted: false },
    guestRrd: { known: false, askAt: Infinity },
    isRefused: () => false,
    publish: () => {},
  } as unknown as ProbeContext
  const lines = Array.from({ length: nodes * guestsPerNode }, (_, n) =>
    PveGuest.parse({
      vmid: 100 + n,
      type: typeOf(100 + n),
      node: `pve${n % nodes}`,
      status: 'running',
      maxmem: 4e9,
      mem: 2e9,
    }),
  )
  guests.list(lines, 0)
  const probers = Array.from({ length: nodes }, (_, index) => {
    const node = { name: `pve${index}`, index, breaker: new CircuitBreaker(clock), answeredAt: 0 }
    return { prober: new NodeProber(context, node, new Map()), name: node.name }
  })
  return {
    asked,
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 10_000) {
        for (const { prober, name } of probers) {
          prober.sync([...guests.all()].filter((guest) => guest.node === name))
          await clock.advance(13) // listings of several sources come one after the other
        }
        await clock.advance(10_000 - 13 * nodes)
      }
    },
  }
}

test('[design 9] guests of many nodes are asked at the same moments, up to four times a second', async () => {
  const { asked, pass } = given(16)
  await pass(minute)
  expect(asked.length).toBeGreaterThan(16 * guestsPerNode)
  const moments = new Set(asked.map(({ at }) => at))
  expect(moments.size).toBeLessThanOrEqual(4 * 60 + 16 * 6) // and one more for each of the listings
})

test('[design 9] each node has its own measure all the same: two calls a minute to each of its guests at most', async () => {
  const { asked, pass } = given(3)
  await pass(minute)
  const times = asked.filter(({ node }) => node === 'pve1').map(({ at }) => at)
  expect(times.length).toBeLessThanOrEqual(2 * guestsPerNode)
  expect(times.length).toBeGreaterThan(guestsPerNode)
})

test('[design 9] no VM and no container is asked more than twice in any minute, from its first call on', async () => {
  const { asked, pass } = given(3, (vmid) => (vmid % 3 ? 'qemu' : 'lxc'))
  await pass(6 * minute)
  const byGuest = Map.groupBy(asked, ({ guest }) => guest)
  expect(byGuest.size).toBe(3 * guestsPerNode)
  for (const calls of byGuest.values()) {
    const most = calls.map(
      ({ at: from }) => calls.filter(({ at }) => at >= from && at < from + minute).length,
    )
    expect(Math.max(...most)).toBe(2)
  }
})
