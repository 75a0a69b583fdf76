import { expect, test } from 'vitest'
import { config, context, givenCache, listed, online } from './fixtures-storages.ts'

test('[facts 6.4.37] a pool is shown with the storage set up on it, never with one that lies elsewhere, or by itself', () => {
  const { cache, records } = givenCache()
  const facts = (name: string, state = 'ONLINE') => ({
    name,
    state,
    sizes: { total: 10, used: 4, free: 6 },
    at: 0,
  })
  cache.list(
    [
      listed({ storage: 'zfs', plugintype: 'zfspool' }),
      listed({ storage: 'nas', plugintype: 'nfs', shared: 1 }),
    ],
    0,
    online,
  )
  cache.configure([
    config({ storage: 'zfs', type: 'zfspool', pool: 'rpool/data' }),
    config({ storage: 'nas', type: 'nfs' }),
  ])
  cache.learnPools('pve1', [facts('rpool'), facts('tank', 'UNAVAIL')], 100)
  expect(records().get('c1:pve1:zfs')).toMatchObject({ zfsPool: { name: 'rpool' } })
  expect(records().get('c1:nas')).not.toHaveProperty('zfsPool')
  expect(records().get('c1:pve1:tank')).toMatchObject({
    id: 'main-pve1-tank',
    type: 'zfs',
    status: 'unavail',
    active: false,
    total: 10,
    used: 4,
    zfsPool: { name: 'tank', state: 'UNAVAIL' },
  })
  expect(records().get('c1:pve1:tank')).not.toHaveProperty('staleSince')
  expect(records({ ...context, lost: new Map([['pve1', 50]]) }).get('c1:pve1:tank')).toHaveProperty(
    'staleSince',
  )
  cache.forgetPools('pve1')
  expect([...records().keys()]).toEqual(['c1:pve1:zfs', 'c1:nas'])
})

test('where it is unknown what the installer’s storage lies on, its pool is news only when it is not well', () => {
  const { cache, records } = givenCache()
  cache.list([listed({ storage: 'local-zfs', plugintype: 'zfspool' })], 0, online)
  cache.learnPools('pve1', [{ name: 'rpool', state: 'ONLINE', at: 0 }], 100)
  expect([...records().keys()]).toEqual(['c1:pve1:local-zfs'])
  expect(records().get('c1:pve1:local-zfs')).not.toHaveProperty('zfsPool')
  cache.learnPools('pve1', [{ name: 'rpool', state: 'DEGRADED', at: 0 }], 100)
  expect(records().get('c1:pve1:rpool')).toMatchObject({ zfsPool: { state: 'DEGRADED' } })
})

test('a directory is on the only pool of its node, unless something is mounted there', () => {
  const { cache, records } = givenCache()
  cache.list([listed(), listed({ storage: 'usb' })], 0, online)
  cache.configure([config(), config({ storage: 'usb', is_mountpoint: 'yes' })])
  cache.learnPools('pve1', [{ name: 'rpool', state: 'ONLINE', at: 0 }], 100)
  expect([...records().values()].map(({ storage, zfsPool }) => [storage, zfsPool?.name])).toEqual([
    ['local', 'rpool'],
    ['usb', undefined],
  ])
})
