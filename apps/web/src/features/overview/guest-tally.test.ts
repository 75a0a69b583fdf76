import { aGuest, aNode, anAlert } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import type { LiveReader } from '../../live/store.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { countedGuest, tallyGuests } from './guest-tally.ts'

const pve1 = nodeKey({ instance: 'main', node: 'pve1' })
const pve2 = nodeKey({ instance: 'main', node: 'pve2' })

function estate(size = 4) {
  const guests = Object.fromEntries(
    Array.from({ length: size }, (_, index) => [
      `g${index}`,
      aGuest({
        vmid: 100 + index,
        node: index % 2 === 0 ? 'pve1' : 'pve2',
        type: index % 4 === 3 ? 'lxc' : 'qemu',
      }),
    ]),
  )
  const live = aLive({ nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) }, guests })
  let looked = 0
  const counting: LiveReader = {
    ...live.store,
    records(kind) {
      const records = live.store.records(kind)
      if (kind !== 'guests') return records
      const get = (id: string) => {
        looked++
        return records.get(id)
      }
      return Object.assign(new Map(records), { get })
    },
  }
  const takeLooked = () => {
    const was = looked
    looked = 0
    return was
  }
  return { ...live, reader: counting, takeLooked }
}

describe('guests are counted', () => {
  test('by state, as a whole and by node', () => {
    const { reader, put } = estate()
    put({ guests: { g0: aGuest({ vmid: 100, status: 'stopped' }) } })
    const tally = tallyGuests(reader)
    expect(tally).toMatchObject({
      vms: 3,
      containers: 1,
      running: 3,
      stopped: 1,
      unreachable: 0,
      attention: 0,
    })
    expect(tally.byNode.get(pve1)).toMatchObject({ vms: 2, containers: 0, running: 1, stopped: 1 })
    expect(tally.byNode.get(pve2)).toMatchObject({ vms: 1, containers: 1, running: 2, stopped: 0 })
  })

  test('[spec 1 §4] those of a node that is off count as stopped, and as unreachable', () => {
    const { reader, put } = estate()
    tallyGuests(reader)
    put({ nodes: { n2: aNode({ node: 'pve2', status: 'offline' }) } })
    expect(tallyGuests(reader)).toMatchObject({ running: 2, stopped: 2, unreachable: 2, attention: 0 })
    expect(countedGuest(reader, 'g1')).toMatchObject({ mark: 'unreachable' })
    put({ nodes: { n2: aNode({ node: 'pve2' }) } })
    expect(tallyGuests(reader)).toMatchObject({ running: 4, stopped: 0, unreachable: 0 })
  })

  test('those of a site without word: running ones as they were, others neither as stopped nor as unreachable', () => {
    const { reader, put } = estate()
    const unheard = { connectionHealth: 'unknown', staleSince: 1 } as const
    put({
      nodes: { n2: aNode({ node: 'pve2', ...unheard }) },
      guests: {
        g1: aGuest({ vmid: 101, node: 'pve2', status: 'stopped', ...unheard }),
        g3: aGuest({ vmid: 103, node: 'pve2', ...unheard }),
      },
    })
    const expected = { stopped: 0, unreachable: 0, unheard: 1, attention: 0 }
    expect(tallyGuests(reader)).toMatchObject({ ...expected, running: 3 })
    expect(tallyGuests(reader).byNode.get(pve2)).toMatchObject({ ...expected, running: 1 })
    put({
      nodes: { n2: aNode({ node: 'pve2' }) },
      guests: { g1: aGuest({ vmid: 101, node: 'pve2', status: 'stopped' }) },
    })
    expect(tallyGuests(reader)).toMatchObject({ stopped: 1, unheard: 0 })
  })

  test('one that moves is counted where it is now, one that goes no more', () => {
    const { reader, put, remove } = estate()
    tallyGuests(reader)
    put({ guests: { g0: aGuest({ vmid: 100, node: 'pve2' }) } })
    expect(tallyGuests(reader).byNode.get(pve1)?.vms).toBe(1)
    expect(tallyGuests(reader).byNode.get(pve2)).toMatchObject({ vms: 2, containers: 1 })
    remove('guests', 'g2')
    expect(tallyGuests(reader).byNode.has(pve1)).toBe(false)
    expect(tallyGuests(reader)).toMatchObject({ vms: 2, containers: 1, running: 3 })
    expect(countedGuest(reader, 'g2')).toBeUndefined()
  })

  test('[spec 1 §4] a node that went while its first guests came is off again when it comes back so', () => {
    const off = aNode({ node: 'pve2', status: 'offline' })
    const { store, put, remove } = aLive({ nodes: { n2: off } })
    expect(tallyGuests(store).unreachable).toBe(0)
    remove('nodes', 'n2')
    store.apply({ guests: { put: new Map([['g', aGuest({ node: 'pve2' })]]), remove: new Set() } }, [
      'guests',
    ])
    expect(tallyGuests(store)).toMatchObject({ running: 1, unreachable: 0 })
    put({ nodes: { n2: off } })
    expect(tallyGuests(store)).toMatchObject({ running: 0, unreachable: 1 })
  })

  test('an alert counts until it is acknowledged', () => {
    const { reader, put } = estate()
    const alert = anAlert({ resourceId: 'main-pve1-100' })
    put({ activeAlerts: { a: alert } })
    expect(tallyGuests(reader).attention).toBe(1)
    put({ activeAlerts: { a: { ...alert, acknowledged: true } } })
    expect(tallyGuests(reader).attention).toBe(0)
  })
})

describe('the cost follows the change', () => {
  test('only guests that changed are looked at', () => {
    const { reader, put, takeLooked } = estate(1000)
    tallyGuests(reader)
    expect(takeLooked()).toBe(1000)
    put({ guests: { g0: aGuest({ vmid: 100, cpu: 0.3 }), g2: aGuest({ vmid: 102, cpu: 0.99 }) } })
    expect(tallyGuests(reader).attention).toBe(1)
    expect(takeLooked()).toBe(2)
    put({ nodes: { n1: aNode({ cpu: 0.7 }) } })
    tallyGuests(reader)
    tallyGuests(reader)
    countedGuest(reader, 'g2')
    expect(takeLooked()).toBe(0)
  })

  test('of those that only bring other figures, those that come into the red or leave it', () => {
    const { reader, set, takeLooked } = estate(1000)
    tallyGuests(reader)
    takeLooked()
    const all = Array.from({ length: 1000 }, (_, index) => [`g${index}`, { cpu: 0.2, networkIn: 5 }])
    set('guests', {
      ...Object.fromEntries(all),
      g1: { cpu: 0.95 },
      g2: { 'memory.used': 95, 'memory.total': 100 },
    })
    expect(tallyGuests(reader).attention).toBe(2)
    expect(takeLooked()).toBe(2)
    set('guests', { g1: { cpu: 0.96 }, g2: { 'memory.used': 99 } })
    expect(tallyGuests(reader).attention).toBe(2)
    expect(takeLooked()).toBe(0)
    set('guests', { g1: { cpu: 0.1 }, g3: { cpu: 0.1 }, g4: { status: 'stopped' } })
    expect(tallyGuests(reader)).toMatchObject({ attention: 1, stopped: 1 })
    expect(takeLooked()).toBe(2)
  })

  test('a node that goes costs its own guests', () => {
    const { reader, put, takeLooked } = estate(1000)
    tallyGuests(reader)
    takeLooked()
    put({ nodes: { n2: aNode({ node: 'pve2', status: 'offline' }) } })
    expect(tallyGuests(reader).unreachable).toBe(500)
    expect(takeLooked()).toBe(500)
  })

  test('counts that did not change keep their identity', () => {
    const { reader, put } = estate()
    const before = tallyGuests(reader)
    put({ guests: { g0: aGuest({ vmid: 100, cpu: 0.3 }) } })
    expect(tallyGuests(reader)).toBe(before)
    put({ guests: { g0: aGuest({ vmid: 100, status: 'stopped' }) } })
    expect(tallyGuests(reader)).not.toBe(before)
    expect(tallyGuests(reader).byNode.get(pve2)).toBe(before.byNode.get(pve2))
  })
})
