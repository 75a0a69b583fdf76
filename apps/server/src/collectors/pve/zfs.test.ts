import { ZfsPool } from '@pulse/contract'
import { expect, test } from 'vitest'
import { PveZfsDetail } from './schema-disks.ts'
import { toZfsPool } from './zfs.ts'

const leaf = (name: string, state = 'ONLINE', errors = {}) => ({
  name,
  state,
  read: 0,
  write: 0,
  cksum: 0,
  msg: '',
  leaf: 1,
  ...errors,
})
const group = (name: string, children: object[], state = 'ONLINE', errors = {}) => ({
  ...leaf(name, state, errors),
  leaf: 0,
  children,
})
const report = (children: object[], more = {}) =>
  PveZfsDetail.parse({
    name: 'tank',
    state: 'ONLINE',
    errors: 'No known data errors',
    leaf: 0,
    children,
    ...more,
  })

function poolOf(children: object[], more: { state?: string } = {}) {
  const detail = report(children, more)
  const pool = toZfsPool({ name: 'tank', state: detail.state!, detail, at: 0 })
  expect(ZfsPool.safeParse(pool).error).toBeUndefined()
  return pool
}

test('[facts 1.14] a pool that is well lists no device', () => {
  const disks = [leaf('sda'), leaf('sdb')]
  expect(poolOf([group('tank', [group('mirror-0', disks)])])).toEqual({
    name: 'tank',
    state: 'ONLINE',
    readErrors: 0,
    writeErrors: 0,
    checksumErrors: 0,
    devices: [],
  })
})

test('[facts 1.14] errors are counted once, of the disks alone, and what is not well is listed with its group', () => {
  const lost = leaf('sdb', 'REMOVED', { write: 12, msg: 'was /dev/sdb1' })
  const mirror = group('mirror-0', [leaf('sda'), lost], 'DEGRADED', { write: 12 })
  expect(poolOf([group('tank', [mirror], 'DEGRADED', { write: 12 })], { state: 'DEGRADED' })).toMatchObject({
    state: 'DEGRADED',
    writeErrors: 12,
    devices: [
      { name: 'mirror-0', type: 'mirror', state: 'DEGRADED', writeErrors: 12 },
      { name: 'sdb', type: 'disk', state: 'REMOVED', writeErrors: 12, message: 'was /dev/sdb1' },
    ],
  })
})

test('[facts 1.14] groups of logs, caches and spares have no state, and are well', () => {
  const spares = { name: 'spares', leaf: 0, msg: '', children: [{ name: 'sde', state: 'AVAIL', leaf: 1 }] }
  const cache = { name: 'cache', leaf: 0, msg: '', children: [{ name: 'sdf', leaf: 1 }] }
  expect(poolOf([group('tank', [leaf('sda')]), spares, cache]).devices).toEqual([])
})

test('a disk of the log that is broken says that it is of the log', () => {
  const logs = { name: 'logs', leaf: 0, msg: '', children: [leaf('sdx', 'FAULTED', { cksum: '3' })] }
  expect(poolOf([group('tank', [leaf('sda')]), logs])).toMatchObject({
    checksumErrors: 3,
    devices: [{ name: 'sdx', type: 'log', state: 'FAULTED', checksumErrors: 3 }],
  })
})

test('a tree without end is cut off', () => {
  const deep = (n: number): object => (n === 0 ? leaf('sda', 'FAULTED') : group(`level-${n}`, [deep(n - 1)]))
  expect(poolOf([deep(50)]).devices).toEqual([])
})
