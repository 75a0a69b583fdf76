import { aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { indexNodes, nodeState, nodeKey } from './nodes.ts'

const node = aNode()
const key = nodeKey(node)

test('new figures of a node keep the identity of the index', () => {
  const live = aLive({ nodes: { n: node } })
  const before = indexNodes(live.store)
  live.put({ nodes: { n: { ...node, cpu: 0.99, memory: { ...node.memory!, used: 1 } } } })
  expect(indexNodes(live.store)).toBe(before)
})

test.each([
  ['goes', { status: 'offline' }, 'offline'],
  ['never answered', { connectionHealth: 'error' }, 'unknown'],
  ['cannot be reached', { connectionHealth: 'error', staleSince: 1 }, 'unreachable'],
  ['has old figures', { staleSince: 1 }, 'stale'],
  ['is renamed', { displayName: 'other' }, 'online'],
] as const)('a node that %s is another index', (_, change, state) => {
  const live = aLive({ nodes: { n: node } })
  const before = indexNodes(live.store)
  live.put({ nodes: { n: { ...node, ...change } } })
  const after = indexNodes(live.store)
  expect(after).not.toBe(before)
  expect(nodeState(after, key)).toBe(state)
})

test('added and removed nodes change the index; an unknown node counts as online', () => {
  const live = aLive({ nodes: { n: node } })
  const before = indexNodes(live.store)
  live.remove('nodes', 'n')
  expect(indexNodes(live.store)).not.toBe(before)
  expect(nodeState(indexNodes(live.store), key)).toBe('online')
})
