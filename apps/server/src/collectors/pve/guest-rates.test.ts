import { describe, expect, test } from 'vitest'
import { GuestCache } from './guests.ts'
import type { MapContext } from './map.ts'
import { PveGuest } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: undefined,
  health: 'healthy',
  wallOffset: 0,
}

/** The bytes per second that a guest receives, after each listing of its counter and uptime. */
function receives(...listings: [seconds: number, netin: number, uptime: unknown][]) {
  const cache = new GuestCache({ qemu: true, lxc: true })
  return listings.map(([seconds, netin, uptime]) => {
    const entry = { type: 'qemu', vmid: 100, node: 'pve1', status: 'running', netin, netout: 0, uptime }
    cache.list([PveGuest.parse(entry)], seconds * 1000)
    return cache.records(context, seconds * 1000).get('c1:100')!
  })
}

describe('rates of a guest', () => {
  test('stay what they are when another member answers, which is a little behind', () => {
    const seen = receives(
      [0, 1e6, 1_000],
      [10, 2e6, 1_010],
      [20, 2.5e6, 1_015], // it has the measurements of five seconds ago
      [30, 4e6, 1_030],
      [40, 3.5e6, 1_025], // and this one has those from before the last
      [50, 6e6, 1_050],
    )
    for (const { networkIn } of seen.slice(1)) {
      expect(networkIn).toBeGreaterThan(70_000)
      expect(networkIn).toBeLessThan(110_000)
    }
  })

  test('are not taken from two listings that follow each other at once', () => {
    const seen = receives([0, 1e6, 1_000], [0.2, 2e6, 1_010], [10.2, 3e6, 1_020])
    expect(seen[1]!.networkIn).toBeUndefined()
    expect(seen[2]!.networkIn).toBeLessThan(250_000)
  })

  test('are no more than a machine can move: a counter that was wrong once starts again', () => {
    const seen = receives([0, 1e15, 1_000], [10, 1e15 + 1e6, 1_010], [20, 5, 1_020], [30, 1e15 + 3e6, 1_030])
    expect(seen[3]!.networkIn ?? 0).toBeLessThan(1e12)
  })
})

test('an uptime that cannot be one says nothing', () => {
  const [first, second, third] = receives([0, 1, 1_000], [10, 2, 9e15], [20, 3, 1_020])
  expect(first!.startedAt).toBe(-1_000_000)
  expect(second!.startedAt).toBe(-1_000_000)
  expect(third!.startedAt).toBe(-1_000_000)
})
