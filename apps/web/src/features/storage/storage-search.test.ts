import { aDisk, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { compileDiskSearch, compilePoolSearch } from './storage-search.ts'

const nodes = new Set(['pve1', 'pve2', 'pve10'])
const shared = { shared: true, node: 'cluster', nodes: ['pve1', 'pve2'], nodeCount: 2 }
const pools = [
  aStorage({ name: 'local', node: 'pve1' }),
  aStorage({ name: 'local', node: 'pve10' }),
  aStorage({ name: 'tank', node: 'pve2', type: 'zfspool', content: 'images,rootdir', status: 'inactive' }),
  aStorage({ ...shared, name: 'backups', type: 'pbs', content: 'backup' }),
]
const found = (search: string, pbs: readonly string[] = []) => {
  const matches = compilePoolSearch(search)
  return pools
    .filter((pool) => matches(pool, nodes, pool.type === 'pbs' ? pbs : []))
    .map(({ name, node }) => `${name}@${node}`)
}
const all = ['local@pve1', 'local@pve10', 'tank@pve2', 'backups@cluster']

describe('[spec 1 §5] search of storages', () => {
  test.each<[search: string, what: string, expected: string[]]>([
    ['', 'nothing', all],
    ['  ', 'nothing but spaces', all],
    ['TANK', 'name, whatever its case', ['tank@pve2']],
    ['zfspool', 'type', ['tank@pve2']],
    ['rootdir', 'content', ['tank@pve2']],
    ['inactive', 'status', ['tank@pve2']],
    ['pve10', 'node', ['local@pve10']],
    ['pve2', 'node, and nodes of what is shared', ['tank@pve2', 'backups@cluster']],
    ['local pve10', 'all words', ['local@pve10']],
    ['local zfspool', 'words that nothing has together', []],
    ['node:pve1', 'the node of exactly that name', ['local@pve1', 'backups@cluster']],
    ['Node:PVE2 images', 'a node and a word', ['tank@pve2']],
    ['node:pve', 'a name that is still being typed', all],
    ['node:', 'no name yet', all],
    ['node:pve1 node:pve2', 'both nodes', ['backups@cluster']],
    ['node:pve9', 'a node that is not there', []],
  ])('%j: %s', (search, _what, expected) => {
    expect(found(search)).toEqual(expected)
  })

  test('the names of the backup server behind a storage', () => {
    expect(found('offsite-pbs')).toEqual([])
    expect(found('offsite-pbs', ['offsite-pbs'])).toEqual(['backups@cluster'])
  })
})

describe('sites', () => {
  const siteOf = (source: string) => (source === 'far' ? 'Berlin' : 'main')
  const near = aStorage({ name: 'local', node: 'pve1' })
  const far = aStorage({ name: 'tank', node: 'pve1', source: 'far' })

  test.each([
    ['site:berlin', ['tank']],
    ['SITE:ber tank', ['tank']],
    ['site:main', ['local']],
    ['site:berlin local', []],
    ['site:', ['local', 'tank']],
  ])('%j finds storages of the site: %j', (search, expected) => {
    const matches = compilePoolSearch(search, siteOf)
    expect([near, far].filter((pool) => matches(pool, nodes, [])).map(({ name }) => name)).toEqual(expected)
  })

  test('disks too', () => {
    const matches = compileDiskSearch('site:berlin', siteOf)
    expect([aDisk(), aDisk({ source: 'far' })].map((disk) => matches(disk, nodes))).toEqual([false, true])
  })

  test('are a word like any other without sites', () =>
    expect([near, far].filter((pool) => compilePoolSearch('site:main')(pool, nodes, []))).toEqual([]))
})

test.each([
  ['evo', ['/dev/sda']],
  ['/dev/nvme', ['/dev/nvme0n1']],
  ['s5y1', ['/dev/sda']],
  ['pve2', ['/dev/nvme0n1']],
  ['node:pve1', ['/dev/sda']],
  ['evo pve2', []],
  ['', ['/dev/sda', '/dev/nvme0n1']],
])('[spec 1 §5] search of disks by model, device path, serial and node: %j', (search, expected) => {
  const disks = [
    aDisk({ model: 'Samsung SSD 870 EVO', serial: 'S5Y1NJ0R' }),
    aDisk({
      node: 'pve2',
      devPath: '/dev/nvme0n1',
      model: 'WD Red SN700',
      serial: '2242',
      health: 'evolved',
    }),
  ]
  const matches = compileDiskSearch(search)
  expect(disks.filter((disk) => matches(disk, nodes)).map(({ devPath }) => devPath)).toEqual(expected)
})
