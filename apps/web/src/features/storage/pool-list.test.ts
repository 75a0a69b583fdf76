import type { Storage } from '@pulse/contract'
import { aNode, aPbsServer, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { selectStorageCounts } from './page.tsx'
import { createPoolListSelector, type PoolQuery } from './pool-list.ts'
import { poolOrders } from './pool-columns.tsx'
import { compilePoolSearch } from './storage-search.ts'

const onAll = { shared: true, node: 'cluster', nodes: ['pve1', 'pve2'], nodeCount: 2 }
const pools: Record<string, Storage> = {
  s1: aStorage({ name: 'local', usage: 30, free: 70, total: 100 }),
  s2: aStorage({ name: 'local', node: 'pve2', usage: 90, free: 1, total: 10 }),
  s3: aStorage({ name: 'tank', node: 'pve2', type: 'zfspool', status: 'inactive', usage: undefined }),
  s4: aStorage({ ...onAll, name: 'nas', type: 'nfs', usage: 50, free: 500, total: 1000 }),
  s5: aStorage({ ...onAll, nodes: ['pve1'], name: 'pbs', type: 'pbs', content: 'backup', usage: 60 }),
}
const nodes = { n1: aNode(), n2: aNode({ node: 'pve2' }) }
const byName: PoolQuery = {
  matches: compilePoolSearch(''),
  sort: { key: 'name', direction: 'asc' },
  grouping: 'storage',
  node: undefined,
  attention: false,
}

const live = aLive({ nodes, storage: pools })
const rowsOf = (query: Partial<PoolQuery> = {}, from = live) =>
  createPoolListSelector({ ...byName, ...query })(from.store).rows.map((row) => row.replace('\0', '/'))
const idsOf = (query: Partial<PoolQuery> = {}) =>
  rowsOf(query).flatMap((row) => (row.startsWith('pool:') ? [row.slice(5)] : []))

describe('[spec 1 §2] grouping', () => {
  test('By Node: what several nodes share comes first and once, what one of them has stands below it', () => {
    expect(rowsOf({ grouping: 'node' })).toEqual([
      'node:main/',
      'pool:s4',
      'node:main/pve1',
      'pool:s1',
      'pool:s5',
      'node:main/pve2',
      'pool:s2',
      'pool:s3',
    ])
  })

  test('By Storage: one list', () => {
    expect(rowsOf()).toEqual(['s1', 's2', 's4', 's5', 's3'].map((id) => `pool:${id}`))
  })

  test('nodes come as in the summary: those that are off last', () => {
    const here = aLive({ nodes: { ...nodes, n1: aNode({ status: 'offline' }) }, storage: pools })
    const heads = rowsOf({ grouping: 'node' }, here).filter((row) => row.startsWith('node:'))
    expect(heads).toEqual(['node:main/', 'node:main/pve2', 'node:main/pve1'])
  })
})

describe('[spec 1 §3] the order', () => {
  test('may be chosen by name, node, type, status, usage, free, total and when it is full', () => {
    expect(poolOrders.map(({ id }) => id)).toEqual([
      'name',
      'node',
      'type',
      'status',
      'usage',
      'free',
      'total',
      'fullIn',
    ])
  })

  test.each(['asc', 'desc'] as const)(
    '[M 3.6] when it is full, %s: those without a date are last',
    (direction) => {
      const at = (fullAt: number) => ({ fullAt })
      const live = aLive({
        storage: {
          late: aStorage({ name: 'late', forecast: at(9) }),
          none: aStorage({ name: 'none', forecast: { reason: 'flat' } }),
          soon: aStorage({ name: 'soon', forecast: at(3) }),
          unknown: aStorage({ name: 'unknown' }),
        },
      })
      const dated = ['pool:soon', 'pool:late']
      expect(rowsOf({ sort: { key: 'fullIn', direction } }, live)).toEqual([
        ...(direction === 'asc' ? dated : dated.toReversed()),
        'pool:none',
        'pool:unknown',
      ])
    },
  )

  test.each([
    ['usage', 'asc', ['s1', 's4', 's5', 's2', 's3']],
    ['usage', 'desc', ['s2', 's5', 's4', 's1', 's3']],
    ['node', 'asc', ['s4', 's5', 's1', 's2', 's3']],
    ['type', 'desc', ['s3', 's5', 's4', 's1', 's2']],
    ['status', 'desc', ['s3', 's1', 's2', 's4', 's5']],
  ] as const)('by %s, %s; what is missing comes last', (key, direction, expected) => {
    expect(idsOf({ sort: { key, direction } })).toEqual(expected)
  })
})

test('[spec 1 §2] of a selected node what it can use is left, shared or not', () => {
  expect(idsOf({ node: nodeKey({ instance: 'main', node: 'pve1' }) })).toEqual(['s1', 's4', 's5'])
  expect(idsOf({ node: nodeKey({ instance: 'other', node: 'pve1' }) })).toEqual([])
})

test('[spec 1 §2] the summary counts for each node what is left when it is selected', () => {
  const counts = selectStorageCounts(live.store)
  for (const node of ['pve1', 'pve2']) {
    const key = nodeKey({ instance: 'main', node })
    expect(counts.get(key)).toEqual({ storage: idsOf({ node: key }).length, disks: 0 })
  }
})

test('[spec 1 §5] a storage is found by the name of its backup server, as Pulse calls it', () => {
  const pbs = { server: 'backup.example', datastore: 'main' }
  const here = aLive({
    nodes,
    storage: { ...pools, s5: { ...pools['s5']!, pbs } },
    pbs: { p1: aPbsServer({ name: 'cellar', host: 'https://backup.example:8007' }) },
  })
  for (const search of ['cellar', 'backup.example'])
    expect(rowsOf({ matches: compilePoolSearch(search) }, here), search).toEqual(['pool:s5'])
})

test('a figure of a backup server does not read every storage again', () => {
  let looks = 0
  const matches = () => (looks++, true)
  const here = aLive({ nodes, storage: pools, pbs: { p1: aPbsServer() } })
  const select = createPoolListSelector({ ...byName, matches })
  select(here.store)
  here.put({ pbs: { p1: aPbsServer({ cpu: 0.9 }) }, nodes: { n1: aNode({ cpu: 0.9 }) } })
  select(here.store)
  expect(looks).toBe(5)
})
