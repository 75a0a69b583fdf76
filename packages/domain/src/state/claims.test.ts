import type { Alert, CephCluster, Guest } from '@pulse/contract'
import { beforeEach, expect, test } from 'vitest'
import { createEstate, type Estate } from '../estate.ts'
import type { Frame } from '../sources/observation.ts'
import { createClaims } from './claims.ts'

let estate: Estate
beforeEach(() => (estate = createEstate()))

const guest = (more: Partial<Guest> = {}) => ({ id: 'g', vmid: 1, type: 'qemu', ...more }) as Guest
const say = (source: string, records: Record<string, Partial<Guest>>) =>
  estate.observe(source, {
    guests: new Map(Object.entries(records).map(([id, more]) => [id, guest({ source, ...more })])),
  })
const shown = () => estate.tables.guests.get('x')

test('a record that two sources claim stays until both have let go of it', () => {
  say('a', { x: { name: 'one' } })
  say('b', { x: { name: 'two' } })
  expect(estate.forget('a').guests?.put.get('x')).toMatchObject({ name: 'two' })
  expect(say('b', {}).guests?.remove).toEqual(new Set(['x']))
  expect(estate.tables.guests.size).toBe(0)
})

test('two that differ do not make it flicker: the same one counts, in any order', () => {
  say('b', { x: { name: 'two' } })
  expect(say('a', { x: { name: 'one' } }).guests?.put.get('x')).toMatchObject({ name: 'one' })
  for (const cpu of [0.1, 0.2]) {
    expect(say('b', { x: { name: 'two', cpu } })).toEqual({})
    expect(shown()).toMatchObject({ name: 'one' })
  }
})

test('a record that one source lost comes from the other, and from the first again when it is back', () => {
  say('a', { x: { name: 'one' } })
  say('b', { x: { name: 'two' } })
  say('a', { x: { name: 'one', staleSince: 5 } })
  expect(shown()).toMatchObject({ name: 'two' })
  say('b', { x: { name: 'two', staleSince: 6 } })
  expect(shown()).toMatchObject({ name: 'one', staleSince: 5 })
  say('a', { x: { name: 'one' } })
  expect(shown()).toEqual(guest({ source: 'a', name: 'one' }))
})

test('a source that was forgotten and comes back is heard as if it were new', () => {
  say('a', { x: { name: 'one' }, y: {} })
  estate.forget('a')
  say('b', { x: { name: 'two' } })
  say('a', { x: { name: 'one' } })
  expect(shown()).toMatchObject({ name: 'one' })
  expect([...estate.tables.guests.keys()]).toEqual(['x'])
  estate.forget('b')
  expect(shown()).toMatchObject({ name: 'one' })
})

test('the very same object said by two sources is two claims', () => {
  const alert = { id: 'x' } as Alert
  estate.observe('a', { activeAlerts: new Map([['x', alert]]) })
  estate.observe('b', { activeAlerts: new Map([['x', alert]]) })
  expect(estate.forget('b')).toEqual({})
  expect(estate.tables.activeAlerts.size).toBe(1)
})

test('[facts/collection 6.4] Ceph that two connections see is one cluster, which names both', () => {
  const see = (source: string, usedBytes: number, staleSince?: number) => {
    const record = { fsid: 'f', instance: source, usedBytes, source, ...(staleSince && { staleSince }) }
    return estate.observe(source, { cephClusters: new Map([['f', record as CephCluster]]) })
  }
  see('main', 1)
  expect(estate.tables.cephClusters.get('f')).not.toHaveProperty('instances')
  see('edge', 2)
  expect([...estate.tables.cephClusters.values()]).toMatchObject([
    { usedBytes: 2, instances: ['edge', 'main'] },
  ])
  see('edge', 2, 9)
  expect(estate.tables.cephClusters.get('f')).toMatchObject({ usedBytes: 1, instances: ['edge', 'main'] })
  estate.forget('main')
  expect(estate.tables.cephClusters.get('f')).toMatchObject({ usedBytes: 2, staleSince: 9 })
  expect(estate.tables.cephClusters.get('f')).not.toHaveProperty('instances')
})

test.each(['aaa', 'zzz'])(
  '[N 4] Ceph that a connection of the main site sees is as that one has it, whatever source %s of another site says, before or after',
  (foreign) => {
    const record = (source: string, usedBytes: number) =>
      ({ fsid: 'f', instance: source, usedBytes, source }) as CephCluster
    let sequence = 0
    const say = (usedBytes: number) => {
      const put: [string, CephCluster][] = [['f', record(foreign, usedBytes)]]
      const frame: Frame = {
        source: foreign,
        run: 'r.1',
        sequence: ++sequence,
        ...(sequence === 1 && { begins: true, completes: true }),
        records: { cephClusters: { put, remove: [] } },
      }
      for (const _ of estate.receive({ ...frame, isForeign: true })!);
    }
    const used = () => estate.tables.cephClusters.get('f')?.usedBytes
    say(1)
    expect(used()).toBe(1)
    estate.observe('main', { cephClusters: new Map([['f', record('main', 2)]]) })
    expect(used()).toBe(2)
    say(3)
    expect(used()).toBe(2)
    expect(estate.tables.cephClusters.get('f')).not.toHaveProperty('instances')
    estate.forget('main')
    expect(used()).toBe(3)
  },
)

test('what cannot be put together from all claims is as the first of them has it, and that is reported', () => {
  const faults: unknown[] = []
  const boom = new Error('boom')
  const claims = createClaims(
    (kind, id) => (kind === 'cephClusters' && id === 'f' ? ({} as CephCluster) : undefined),
    {
      cephClusters: () => {
        throw boom
      },
    },
    (error) => faults.push(error),
  )
  const say = (source: string) => {
    claims.put(source, 'cephClusters', [['f', { id: 'f', source } as CephCluster]])
    return claims.take(source, 10).changes
  }
  say('a')
  expect(say('b').cephClusters?.put.get('f')).toMatchObject({ source: 'a' })
  expect(faults).toEqual([boom])
})

test('[R18] a source that is forgotten while its records are shown in steps leaves nothing', () => {
  const claims = createClaims(
    () => undefined,
    {},
    () => {},
  )
  claims.put('a', 'guests', [
    ['x', guest()],
    ['y', guest()],
  ])
  expect(claims.take('a', 1)).toMatchObject({ isLast: false })
  claims.forget('a')
  expect(claims.take('a', 1)).toEqual({ changes: {}, isLast: true })
  expect(claims.size).toBe(0)
})
