import { aNode, aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { selectUnreachableNames } from './unreachable-names.ts'

const healthy = { name: 'main', kind: 'pve', health: 'healthy' } as const

test('what is off and what is silent is named once', () => {
  const live = aLive({
    sources: { main: healthy, edge: { ...healthy, name: 'edge', health: 'error' } },
    nodes: {
      n1: aNode(),
      n2: aNode({ node: 'pve2', status: 'offline' }),
      // the source stands for it
      n3: aNode({ instance: 'edge', node: 'pve3', connectionHealth: 'error', staleSince: 1 }),
    },
    pbs: { p1: aPbsServer({ status: 'offline' }), p2: aPbsServer({ name: 'second' }) },
  })
  expect(selectUnreachableNames(live.store)).toEqual(['edge', 'backup', 'pve2'])
})

test('nothing is lost while all answer', () => {
  expect(selectUnreachableNames(aLive({ sources: { main: healthy }, nodes: { n: aNode() } }).store)).toEqual(
    [],
  )
})
