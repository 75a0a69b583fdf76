import { expect, test } from 'vitest'
import { nodeKey, type MapContext } from './map.ts'
import { NodeCache } from './nodes.ts'
import { PveNode, PveNodeStatus } from './schema.ts'

const context: MapContext = {
  source: 'c1',
  instance: 'main',
  clusterName: 'prod',
  health: 'healthy',
  wallOffset: 0,
}
const node = (fields: object = {}) =>
  PveNode.parse({ node: 'pve1', status: 'online', cpu: 0.5, mem: 40, maxmem: 100, uptime: 1000, ...fields })
const record = (cache: NodeCache, name = 'pve1') => cache.records(context).get(`c1:${name}`)

test('a dead node keeps its figures, without load and uptime', () => {
  const cache = new NodeCache()
  cache.list([node()], 5_000_000)
  cache.list([node({ status: 'offline', cpu: undefined, mem: undefined, uptime: undefined })], 5_010_000)
  expect(record(cache)).toMatchObject({
    status: 'offline',
    cpu: 0,
    memory: { used: 40 },
    staleSince: 5_000_000,
  })
})

test('[facts 1.5] a node that is no longer listed goes after a minute; an empty listing removes nothing', () => {
  const cache = new NodeCache()
  cache.list([node(), node({ node: 'pve2' })], 0)
  cache.list([node()], 10_000)
  expect(record(cache, 'pve2')).toMatchObject({ status: 'offline' })
  cache.list([node()], 70_000)
  expect(record(cache, 'pve2')).toBeUndefined()
  cache.list([], 500_000)
  expect(cache.size).toBe(1)
})

test('a node without a heartbeat that answers itself is online', () => {
  const cache = new NodeCache()
  cache.list([node()], 0)
  cache.learnStatus('pve1', PveNodeStatus.parse({}), 10_000)
  cache.list([node({ status: 'unknown' })], 60_000)
  expect(record(cache)?.status).toBe('online')
  cache.list([node({ status: 'unknown' })], 200_000)
  expect(record(cache)?.status).toBe('unknown')
})

test('[facts 1.7] memory: the listing first, then the report of the node, then its RRD; what is known stays', () => {
  const cache = new NodeCache()
  cache.list([node()], 0)
  expect(record(cache)?.memory?.used).toBe(40)
  cache.list([node({ mem: 45 })], 10_000)
  expect(record(cache)?.memory?.used).toBe(45)
  cache.learnStatus('pve1', PveNodeStatus.parse({ memory: { total: 100, used: 90, free: 10 } }), 20_000)
  expect(record(cache)?.memory?.used).toBe(90)
  cache.learnRrd('pve1', { available: 70 }, 20_000)
  expect(record(cache)?.memory?.used).toBe(30)
  cache.list([node({ mem: 95 })], 30_000)
  expect(record(cache)?.memory?.used).toBe(30)
})

test('unchanged nodes keep their record', () => {
  const cache = new NodeCache()
  cache.list([node()], 0)
  const before = cache.records(context)
  cache.list([node({ uptime: 1010 })], 10_000)
  expect(cache.records(context)).toBe(before)
})

test('what the listing does not tell is unknown, and not 0; what it tells needs no report of the node', () => {
  const cache = new NodeCache()
  cache.list([PveNode.parse({ node: 'pve1', status: 'online' })], 0)
  for (const field of ['cpu', 'memory', 'disk', 'cpuInfo', 'startedAt'])
    expect(record(cache)).not.toHaveProperty(field)
  cache.list(
    [PveNode.parse({ node: 'pve1', status: 'online', maxcpu: 32, maxmem: 100, maxdisk: 10 })],
    10_000,
  )
  expect(record(cache)).toMatchObject({ cpuInfo: { cores: 32 }, disk: { total: 10 } })
  expect(record(cache)).not.toHaveProperty('memory')
  expect(record(cache)!.disk).not.toHaveProperty('used')
})

test('a node that was off from the start was never seen', () => {
  const cache = new NodeCache()
  cache.list([node({ status: 'offline' })], 0)
  expect(record(cache)).toMatchObject({ status: 'offline' })
  expect(record(cache)).not.toHaveProperty('staleSince')
})

test('[R7] the line of a node and its own report grow old each for itself', () => {
  const cache = new NodeCache()
  const at = (now: number) => cache.records(context, now).get(nodeKey('c1', 'pve1'))!
  cache.list([node()], 0)
  cache.learnStatus('pve1', PveNodeStatus.parse({ memory: { total: 100, used: 90, available: 30 } }), 0)
  expect(at(15_000)).not.toHaveProperty('staleSince')
  expect(at(15_001)).toMatchObject({ staleSince: 0, memory: { used: 70 } })
  cache.list([node()], 80_000)
  expect(at(90_000)).not.toHaveProperty('staleSince')
  expect(at(90_000).memory).not.toHaveProperty('staleSince')
  expect(at(90_001)).toMatchObject({ memory: { used: 70, staleSince: 0 } })
  expect(at(90_001)).not.toHaveProperty('staleSince')
})
