import { Storage } from '@pulse/contract'
import { expect, test } from 'vitest'
import { alive, config, context, givenCache, listed, online, row } from './fixtures-storages.ts'
import { StorageVisibility } from './visibility.ts'
import { StorageCache } from './storages.ts'

test('[facts 1.13] a local storage is one row on its node', () => {
  const { cache, records } = givenCache()
  cache.list([listed()], 0, online)
  cache.report('pve1', [row()], 1)
  expect([...records()]).toEqual([
    [
      'c1:pve1:local',
      {
        id: 'main-pve1-local',
        instance: 'main',
        node: 'pve1',
        storage: 'local',
        name: 'local',
        type: 'dir',
        content: 'backup,iso',
        status: 'available',
        shared: false,
        enabled: true,
        active: true,
        total: 100,
        used: 25,
        avail: 70,
        free: 70,
        usage: 25,
        source: 'c1',
      },
    ],
  ])
})

test('[facts 1.13] a shared storage is one row for all its nodes, whichever reports first', () => {
  const { cache, records } = givenCache()
  cache.report('pve2', [row({ storage: 'nas', type: 'nfs', used: 10 })], 0)
  cache.report('pve1', [row({ storage: 'nas', type: 'nfs', used: 40 })], 0)
  const before = records().get('c1:nas')
  expect(before).toMatchObject({
    id: 'main-cluster-nas',
    node: 'cluster',
    nodes: ['pve1', 'pve2'],
    nodeIds: ['main-pve1', 'main-pve2'],
    nodeCount: 2,
    used: 40,
    shared: true,
  })
  expect(records().size).toBe(1)
})

test.each<[string, object, object, boolean]>([
  ['the flag of the node', { shared: 1 }, {}, true],
  ['the flag of the configuration', {}, { shared: 1 }, true],
  ['a type that is always shared', { type: 'pbs' }, {}, true],
  ['none of them', {}, {}, false],
])('[facts 1.13] shared by %s', (_case, fields, settings, shared) => {
  const { cache, records } = givenCache()
  cache.configure([config(settings)])
  cache.report('pve1', [row(fields)], 0)
  expect([...records().values()][0]?.shared).toBe(shared)
})

test.each<[string, object, object, Partial<Storage>]>([
  ['active', {}, {}, { status: 'available', enabled: true, active: true }],
  ['inactive', { active: 0, total: 0 }, {}, { status: 'inactive', enabled: true, active: false }],
  [
    'disabled',
    { enabled: 0, active: 0 },
    { disable: 1 },
    { status: 'disabled', enabled: false, active: false },
  ],
])('[facts 1.13] %s', (_case, fields, settings, expected) => {
  const { cache, records } = givenCache()
  cache.configure([config(settings)])
  cache.report('pve1', [row(fields)], 0)
  expect([...records().values()][0]).toMatchObject(expected)
})

test('[facts 6.4.35] nodes that a storage is not for have no row', () => {
  const { cache, records } = givenCache()
  cache.configure([config({ nodes: 'pve1,pve3' })])
  cache.report('pve1', [row()], 0)
  cache.report('pve2', [row({ enabled: 0, active: 0 })], 0)
  expect([...records().keys()]).toEqual(['c1:pve1:local'])
})

test('the listing brings newer figures, and stands in while a node does not report', () => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row()], 0)
  cache.list([listed({ disk: 45 }), listed({ node: 'pve2', disk: 5 })], 10_000, online)
  expect(records().get('c1:pve1:local')).toMatchObject({ used: 45, avail: 50 })
  expect(records().get('c1:pve2:local')).toMatchObject({
    used: 5,
    avail: 95,
    status: 'available',
    type: 'dir',
  })
  cache.list([listed({ node: 'pve2', status: 'unknown', disk: 0, maxdisk: 0 })], 20_000, online)
  expect(records().get('c1:pve2:local')).toMatchObject({ status: 'unknown', active: false })
})

test('[facts 1.5] the storage of a dead node stays, with its age, and a shared one goes on with the others', () => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row(), row({ storage: 'nas', type: 'nfs', used: 90 })], 0)
  cache.report('pve2', [row({ storage: 'nas', type: 'nfs', used: 30 })], 0)
  cache.settle(new Map([...alive, ['pve1', { online: false, seenAt: 7 }]]))
  cache.list([listed({ node: 'pve1', status: 'unknown', maxdisk: 0 })], 100_000, (node) => node !== 'pve1')
  expect(records().get('c1:pve1:local')).toMatchObject({
    status: 'unknown',
    active: false,
    used: 25,
    staleSince: 7,
  })
  expect(records().get('c1:nas')).toMatchObject({ status: 'available', used: 30 })
  expect(records().get('c1:nas')).not.toHaveProperty('staleSince')
})

test('what a node no longer has is gone; what a forgotten node had, too', () => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row(), row({ storage: 'old' })], 0)
  cache.report('pve2', [row()], 0)
  cache.report('pve1', [row()], 60_000)
  expect([...records().keys()]).toEqual(['c1:pve1:local', 'c1:pve2:local'])
  cache.settle(new Map([['pve1', { online: true, seenAt: 0 }]]))
  expect([...records().keys()]).toEqual(['c1:pve1:local'])
})

test('unchanged rows keep their identity, and the map with them', () => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row(), row({ storage: 'b' })], 0)
  const before = records()
  cache.report('pve1', [row(), row({ storage: 'b' })], 60_000)
  expect(records()).toBe(before)
  cache.report('pve1', [row(), row({ storage: 'b', used: 30 })], 120_000)
  expect(records().get('c1:pve1:local')).toBe(before.get('c1:pve1:local'))
  expect(records().get('c1:pve1:b')).not.toBe(before.get('c1:pve1:b'))
})

test('[R7] the word of the node counts for two minutes; then that of the listing, which may omit it', () => {
  const { cache } = givenCache()
  const at = (now: number) => cache.records(context, now).get('c1:pve1:local')!
  cache.report('pve1', [row()], 0)
  cache.list([listed({ status: 'unknown', disk: undefined, maxdisk: undefined })], 110_000, online)
  expect(at(120_000)).toMatchObject({ status: 'available', active: true })
  cache.list([listed({ status: 'unknown', disk: undefined, maxdisk: undefined })], 120_000, online)
  expect(at(120_001)).toMatchObject({ status: 'unknown', active: false, used: 25, staleSince: 0 })
  cache.list([listed({ disk: 30 })], 130_000, online)
  expect(at(130_000)).toMatchObject({ status: 'available', active: true, used: 30 })
  expect(at(130_000)).not.toHaveProperty('staleSince')
})

test('figures that are not reported are unknown, and not 0 B', () => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row({ enabled: 0, active: 0, total: 0, used: 0, avail: 0 })], 0)
  expect(records().get('c1:pve1:local')).toMatchObject({ status: 'disabled', enabled: false })
  for (const field of ['total', 'used', 'avail', 'free', 'usage'])
    expect(records().get('c1:pve1:local')).not.toHaveProperty(field)
  cache.list([listed({ disk: undefined })], 1, online)
  expect(records().get('c1:pve1:local')).toMatchObject({ total: 100 })
  expect(records().get('c1:pve1:local')).not.toHaveProperty('used')
})

test.each([
  ['another node may use it', { enabled: 1 }, ['c1:pve2:local']],
  ['no node may use it', { enabled: 0, active: 0 }, ['c1:pve1:local', 'c1:pve2:local']],
])('[facts 6.4.35] without the configuration, a storage disabled on a node: %s', (_case, fields, keys) => {
  const { cache, records } = givenCache()
  cache.report('pve1', [row({ enabled: 0, active: 0, total: 0 })], 0)
  cache.report('pve2', [row(fields)], 0)
  expect([...records().keys()].sort()).toEqual(keys)
})

test('a shared storage that one node does not see any more says which; one that is off is not meant', () => {
  const { cache, records } = givenCache()
  const shared = { storage: 'nas', shared: 1, plugintype: 'nfs' }
  const nodes = ['pve1', 'pve2', 'pve3']
  cache.list(
    nodes.map((node) => listed({ ...shared, node, status: node === 'pve1' ? 'available' : 'unknown' })),
    0,
    online,
  )
  cache.settle(new Map(nodes.map((name) => [name, { online: name !== 'pve3', seenAt: 0 }])))
  expect(records().get('c1:nas')).toMatchObject({ status: 'available', inactiveOn: ['pve2'] })
  cache.list([listed({ ...shared, node: 'pve2', status: 'unknown' })], 0, online)
  cache.settle(new Map([['pve2', { online: true, seenAt: 0 }]]))
  expect(records().get('c1:nas')).not.toHaveProperty('inactiveOn')
})

test('[spec 1 §3] a storage on a backup server says on which, and where there', () => {
  const { cache, records } = givenCache()
  cache.list([listed({ storage: 'pbs', shared: 1, plugintype: 'pbs' })], 0, online)
  cache.configure([
    config({ storage: 'pbs', type: 'pbs', server: '192.0.2.7', datastore: 'main', namespace: 'prod' }),
  ])
  expect(records().get('c1:pbs')).toMatchObject({
    pbs: { server: '192.0.2.7', datastore: 'main', namespace: 'prod' },
  })
})

test('[facts 6.4.35] a storage for the many nodes of a large cluster is on the last of them too', () => {
  const { cache, records } = givenCache()
  const many = Array.from({ length: 200 }, (_, n) => `node-${n}.example`)
  cache.configure([config({ nodes: [...many, 'pve1'].join() })])
  cache.report('pve1', [row()], 0)
  expect([...records().keys()]).toEqual(['c1:pve1:local'])
})

test('a disabled storage, which no listing has, stays while its node is not asked or does not answer', () => {
  const { cache } = givenCache()
  const records = (at: number) => cache.records(context, at)
  const rows = [row(), row({ storage: 'old-nas', type: 'cifs', shared: 1, enabled: 0, active: 0 })]
  cache.report('pve1', rows, 0)
  for (const minutes of [1, 5, 15]) cache.list([listed()], minutes * 60_000, online)
  expect(records(16 * 60_000).get('c1:old-nas')).toMatchObject({ status: 'disabled' })
  cache.report('pve1', [row()], 17 * 60_000)
  expect([...records(17 * 60_000).keys()]).toEqual(['c1:pve1:local'])
})

test('a disabled storage that the configuration does not have any more leaves, even if its node does not answer', () => {
  const { cache } = givenCache()
  const shown = (minutes: number) => {
    const at = minutes * 60_000
    cache.list([listed()], at, online)
    return [...cache.records(context, at).keys()]
  }
  // PVE lists a storage of another node as disabled
  cache.configure([
    config(),
    config({ storage: 'tank', nodes: 'pve2' }),
    config({ storage: 'nas', disable: 1 }),
  ])
  const others = ['tank', 'nas'].map((storage) => row({ storage, enabled: 0, active: 0 }))
  cache.report('pve1', [row(), ...others], 0)
  expect(shown(10)).toEqual(['c1:pve1:local', 'c1:pve1:nas'])
  cache.configure([config()])
  shown(11)
  expect(shown(12)).toEqual(['c1:pve1:local'])
})

test('a storage that was removed leaves after a minute; one that cannot be seen any more stays, with the time', () => {
  const visibility = new StorageVisibility()
  const cache = new StorageCache(visibility)
  const list = (names: string[], at: number) => {
    visibility.list(names, at)
    cache.list(
      names.map((storage) => listed({ storage })),
      at,
      online,
    )
    cache.settle(alive)
    return [...cache.records(context, at).values()].map(({ storage, staleSince }) => [storage, staleSince])
  }
  list(['local', 'nas', 'old'], 0)
  visibility.know({ '/': {} })
  list(['local'], 10_000)
  visibility.know({ '/': { 'Datastore.Audit': 1 }, '/storage/nas': {} })
  cache.report('pve1', [row()], 15_000)
  expect(list(['local'], 16_000)).toEqual([
    ['local', undefined],
    ['nas', 0],
    ['old', 0],
  ])
  expect(list(['local'], 75_000)).toEqual([
    ['local', undefined],
    ['nas', 0],
  ])
})

test('the loss of a node that is removed does not stay', () => {
  const visibility = new StorageVisibility()
  const cache = new StorageCache(visibility)
  const list = (nodes: readonly string[], at: number) => {
    const entries = nodes.map((node) => listed({ node }))
    visibility.list(new Set(entries.map(({ storage }) => storage)), at)
    cache.list(entries, at, online)
    cache.settle(alive)
  }
  list(['pve1', 'pve2'], 0)
  list(['pve1'], 10_000)
  list([], 20_000)
  visibility.know({})
  for (const at of [30_000, 300_000]) {
    list([], at)
    const records = [...cache.records(context, at).values()]
    for (const record of records) expect(Storage.safeParse(record).error).toBeUndefined()
  }
  expect([...cache.records(context, 300_000).keys()]).toEqual(['c1:pve1:local'])
})
