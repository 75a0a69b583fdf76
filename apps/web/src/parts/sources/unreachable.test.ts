import { aDockerHost, aNode, aPbsServer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { selectUnreachableHosts, selectUnreachableSources, selectUnreachableNames } from './unreachable.ts'

const live = aLive({
  sources: {
    p1: { name: 'main', kind: 'pve', health: 'error', error: 'refused', lastSeen: 5 },
    dock1: { name: 'docker-dock1', kind: 'docker', health: 'error', error: 'no report', lastSeen: 7 },
    dock2: { name: 'docker-dock2', kind: 'docker', health: 'error' },
  },
  dockerHosts: {
    dock1: aDockerHost({ status: 'offline', displayName: 'Cellar' }),
    dock2: aDockerHost({ id: 'dock2', status: 'offline', hidden: true }),
    dock3: aDockerHost({ id: 'dock3', status: 'offline', staleSince: 9 }),
    dock4: aDockerHost({ id: 'dock4' }),
  },
})

test('container hosts are told of apart from what is asked', () => {
  expect(selectUnreachableSources(live.store).map(({ name }) => name)).toEqual(['main'])
})

test('by the names of the hosts, those that are hidden not at all', () => {
  expect(selectUnreachableHosts(live.store)).toEqual([
    { id: 'dock1', name: 'Cellar', error: undefined, refused: false, untrusted: false, since: 7 },
    { id: 'dock3', name: 'dock3', error: undefined, refused: false, untrusted: false, since: 9 },
  ])
})

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
