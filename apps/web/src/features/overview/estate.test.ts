import { aGuest, aNode, aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { selectEstate } from './estate.ts'

test('nodes with their trouble, guests by state', () => {
  const live = aLive({
    nodes: {
      n1: aNode({ cpu: 0.95 }),
      n2: aNode({ node: 'pve2', status: 'offline' }),
      n3: aNode({ node: 'pve3' }),
    },
    pbs: { p1: aPbsServer({ connectionHealth: 'error', staleSince: 1 }) },
    guests: {
      g1: aGuest({ vmid: 100 }),
      g2: aGuest({ vmid: 101, cpu: 0.97 }),
      g3: aGuest({ vmid: 102, status: 'stopped' }),
      g4: aGuest({ vmid: 103, node: 'pve2' }),
    },
  })
  expect(selectEstate(live.store)).toEqual({
    nodes: 4,
    running: 2,
    stopped: 2,
    unreachable: { nodes: 2, guests: 1 },
    attention: { nodes: 3, guests: 1 },
  })
})
