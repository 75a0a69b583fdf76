import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { sameCounts } from '../../parts/node-summary/rows.ts'
import { selectGuestCounts } from './page.tsx'

const live = aLive({
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  guests: {
    a: aGuest({ vmid: 1 }),
    b: aGuest({ vmid: 2, type: 'lxc' }),
    c: aGuest({ vmid: 3, type: 'lxc', status: 'stopped' }),
    d: aGuest({ vmid: 4, instance: 'other' }),
  },
})

test('[spec 1 §2] VMs and containers of each node; a node without any has zero', () => {
  const counts = selectGuestCounts(live.store)
  expect(counts.get(nodeKey({ instance: 'main', node: 'pve1' }))).toEqual({ vms: 1, containers: 2 })
  expect(counts.get(nodeKey({ instance: 'main', node: 'pve2' }))).toEqual({ vms: 0, containers: 0 })
})

test('counts differ only when a number does', () => {
  const before = selectGuestCounts(live.store)
  live.put({ guests: { a: aGuest({ vmid: 1, cpu: 0.9 }) } })
  expect(sameCounts(before, selectGuestCounts(live.store))).toBe(true)
  live.put({ guests: { a: aGuest({ vmid: 1, type: 'lxc' }) } })
  expect(sameCounts(before, selectGuestCounts(live.store))).toBe(false)
})
