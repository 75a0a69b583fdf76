import type { CephCluster, PhysicalDisk, Storage, ZfsPool } from '@pulse/contract'
import { aCephCluster, aDisk, aNode, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, settings } from '../fixtures.ts'

const GiB = 1024 ** 3
const storage = (change: Partial<Storage> = {}) => ({ storage: [aStorage(change)] })
const full = (percent: number): Partial<Storage> => ({
  usage: percent,
  used: percent * GiB,
  total: 100 * GiB,
})
const after = (lists: Parameters<ReturnType<typeof anEngine>['tell']>[1], config = settings()) => {
  const all = anEngine(config)
  all.tell('main', lists)
  all.poll('main')
  return all
}

test('[spec 3 §9] usage at its trigger is an alert, below it none', () => {
  expect(after(storage(full(85))).open()).toEqual(['main:pve1:local-usage'])
  expect(after(storage(full(84.9))).open()).toEqual([])
  expect(after(storage({ ...full(95), enabled: false, status: 'disabled' })).open()).toEqual([])
})

test.each(['inactive', 'offline', 'unavailable'])(
  'one that is %s is a warning after two checks',
  (status) => {
    const { tell, poll, alert } = anEngine()
    tell('main', storage({ status, active: false }))
    expect(events(poll('main'))).toEqual(['raised storage-offline-main:pve1:local'])
    expect(alert('storage-offline-main:pve1:local')).toMatchObject({ type: 'offline', level: 'warning' })
    expect(events(poll('main', storage()))).toEqual(['resolved storage-offline-main:pve1:local'])
  },
)

test('a storage that is disabled, unknown or of an unreachable source is no alert', () => {
  expect(after(storage({ status: 'disabled', enabled: false, active: false })).open()).toEqual([])
  expect(after(storage({ status: 'unknown', active: false })).open()).toEqual([])
  const { tell, silence, pass, open } = anEngine()
  tell('main', { ...storage(), nodes: [aNode()] })
  silence('main', storage({ status: 'inactive', staleSince: 1 }))
  pass(60_000)
  expect(open()).toEqual([])
})

const pool = (change: Partial<ZfsPool> = {}): ZfsPool => ({
  name: 'tank',
  state: 'ONLINE',
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  devices: [],
  ...change,
})
const withPool = (change: Partial<ZfsPool>) => storage({ zfsPool: pool(change) })
const STATE = 'zfs-pool-state-main:pve1:tank'

test.each([
  ['DEGRADED', 'warning'],
  ['FAULTED', 'critical'],
  ['UNAVAIL', 'critical'],
])('a ZFS pool that is %s is %s', (state, level) => {
  expect(after(withPool({ state })).alert(STATE)).toMatchObject({ type: 'zfs-pool-state', level })
})

test('a scrub of a healthy pool is no alert', () => {
  expect(after(withPool({ scan: 'scrub in progress' })).open()).toEqual([])
})

test('errors of a pool are one alert that follows their number; state and devices likewise', () => {
  const device = {
    name: 'sdb',
    type: 'disk',
    state: 'FAULTED',
    readErrors: 2,
    writeErrors: 0,
    checksumErrors: 0,
  }
  const { poll, alert, open } = after(withPool({ state: 'DEGRADED', readErrors: 2, devices: [device] }))
  expect(open()).toEqual(['zfs-device-main:pve1:tank-sdb', 'zfs-pool-errors-main:pve1:tank', STATE])
  expect(alert('zfs-device-main:pve1:tank-sdb')!.level).toBe('critical')
  poll('main', withPool({ state: 'FAULTED', readErrors: 9, devices: [device] }))
  expect(alert(STATE)!.level).toBe('critical')
  expect(alert('zfs-pool-errors-main:pve1:tank')).toMatchObject({ value: 9 })
  poll('main', withPool({}))
  expect(open()).toEqual([])
})

test('a pool that two storages use is one pool', () => {
  const broken = { zfsPool: pool({ state: 'DEGRADED' }) }
  const two = {
    storage: [aStorage({ name: 'a', ...broken }), aStorage({ name: 'b', storage: 'b', id: 'b', ...broken })],
  }
  two.storage[0] = { ...two.storage[0]!, storage: 'a', id: 'a' }
  expect(after(two).open()).toEqual([STATE])
})

test('an alert stays open while the data of its pool are stale or unknown', () => {
  const { poll, open } = after(withPool({ state: 'DEGRADED' }))
  poll('main', storage({ zfsPool: pool({ staleSince: 1 }) }))
  poll('main', storage())
  expect(open()).toEqual([STATE])
})

const disk = (change: Partial<PhysicalDisk>) => ({ physicalDisks: [aDisk(change)] })
const DISK = 'main:S5Y1-pve1-sda'

test.each(['PASSED', 'OK', 'Ok', 'GOOD', 'UNKNOWN', ''])('a disk that reports %j is healthy', (health) => {
  expect(after(disk({ health })).open()).toEqual([])
})

test('a disk that reports anything else is critical until it reports otherwise; its alert ends when the disk is removed', () => {
  const { poll, open, alert } = after(disk({ health: 'FAILED!' }))
  expect(alert(`disk-health-${DISK}`)).toMatchObject({ level: 'critical', type: 'disk-health' })
  poll('main', disk({ health: 'UNKNOWN' }))
  expect(open()).toHaveLength(1)
  poll('main', disk({ health: 'PASSED' }))
  expect(open()).toEqual([])
  poll('main', disk({ health: 'FAILED!' }))
  poll('main', { physicalDisks: [] })
  expect(open()).toEqual([])
})

test.each([
  [9, true],
  [10, false],
  [1, true],
  [0, false],
  [-1, false],
])('a disk with %d percent of its life left is worn: %s', (wearout, isWorn) => {
  expect(after(disk({ wearout })).open()).toEqual(isWorn ? [`disk-wearout-${DISK}`] : [])
})

const ceph = (change: Partial<CephCluster>) => ({ cephClusters: [aCephCluster(change)] })

test('the alert has the health of Ceph and the reason', () => {
  const { poll, alert, open } = after(ceph({ health: 'HEALTH_WARN', healthMessage: '1 osds down' }))
  expect(alert('ceph-health-f1')).toMatchObject({
    level: 'warning',
    message: expect.stringContaining('1 osds down'),
  })
  expect(events(poll('main', ceph({ health: 'HEALTH_ERR' })))).toEqual(['leveled ceph-health-f1'])
  poll('main', ceph({ health: 'HEALTH_UNKNOWN' }))
  expect(open()).toEqual(['ceph-health-f1'])
  poll('main', ceph({ health: 'HEALTH_OK' }))
  expect(open()).toEqual([])
})

test('an empty storage resolves its alert, one of unknown size keeps it', () => {
  const { poll, open } = after(storage(full(90)))
  poll('main', storage({ usage: 0, used: 0, total: 0 }))
  expect(open()).toEqual(['main:pve1:local-usage'])
  poll('main', storage(full(0)))
  expect(open()).toEqual([])
})

test('a failed pool makes its storage unavailable, and keeps an alert of its own', () => {
  const failed = storage({ status: 'inactive', active: false, zfsPool: pool({ state: 'FAULTED' }) })
  const { poll, open } = after(failed)
  for (let round = 0; round < 3; round++) poll('main', failed)
  expect(open()).toEqual(['storage-offline-main:pve1:local', STATE])
})

test.each(['disableAllStorage', 'disableAllDisks', 'disableAllCeph'] as const)(
  '[spec 3 §3] %s switches off the alerts of its table',
  (name) => {
    const lists = {
      ...storage({ ...full(99), zfsPool: pool({ state: 'FAULTED' }) }),
      ...disk({ health: 'FAILED' }),
      ...ceph({ health: 'HEALTH_ERR' }),
    }
    expect(after(lists).open()).toHaveLength(4)
    const left = after(lists, settings({ [name]: true })).open()
    const prefix = { disableAllStorage: 'main:', disableAllDisks: 'disk-', disableAllCeph: 'ceph-' }[name]
    expect(left.filter((id) => id.startsWith(prefix))).toEqual([])
    expect(left).toHaveLength(name === 'disableAllStorage' ? 2 : 3)
  },
)
