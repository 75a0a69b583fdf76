import type { Guest } from '@pulse/contract'
import { compileGuestSearch } from '@pulse/domain'
import { aGuest, aNode } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import type { LiveReader } from '../../live/store.ts'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { guestColumns } from './columns.tsx'
import { createGuestListSelector, type GuestQuery, sameGuestList } from './guest-list.ts'

const everything: GuestQuery = {
  matches: compileGuestSearch(''),
  nowMs: Date.now(),
  type: 'all',
  status: 'all',
  grouping: 'flat',
  sort: { key: 'vmid', direction: 'asc' },
  node: undefined,
  focus: undefined,
}

const byVmid = (guests: readonly Guest[]) =>
  Object.fromEntries(guests.map((guest) => [`g${guest.vmid}`, guest]))

function listed(query: Partial<GuestQuery>, guests: readonly Guest[], nodes = [aNode()]) {
  const live = aLive({
    guests: byVmid(guests),
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  })
  return createGuestListSelector({ ...everything, ...query })(live.store)
}
const numbers = (rows: readonly string[]) => rows.map((row) => Number(row.replace(/^guest:g/, '')))

describe('filters', () => {
  const guests = [
    aGuest({ vmid: 100, type: 'qemu' }),
    aGuest({ vmid: 101, type: 'lxc' }),
    aGuest({ vmid: 102, type: 'lxc', status: 'stopped' }),
    aGuest({ vmid: 103, type: 'qemu', status: 'paused' }),
    aGuest({ vmid: 104, node: 'pve9' }),
    aGuest({ vmid: 105, cpu: 0.95, status: 'running' }),
  ]
  const nodes = [aNode(), aNode({ node: 'pve9', status: 'offline' })]

  test.each([
    [{ type: 'all' }, [100, 101, 102, 103, 104, 105]],
    [{ type: 'vm' }, [100, 103, 104, 105]],
    [{ type: 'lxc' }, [101, 102]],
    [{ status: 'running' }, [100, 101, 105]],
    [{ status: 'stopped' }, [102, 103, 104]],
    [{ type: 'lxc', status: 'stopped' }, [102]],
    [{ node: nodeKey({ instance: 'main', node: 'pve9' }) }, [104]],
    [{ matches: compileGuestSearch('101, 103') }, [101, 103]],
    [{ focus: 'unreachable' }, [104]],
    [{ focus: 'attention' }, [105]],
    [{ focus: 'attention', type: 'lxc' }, []],
  ] as const)('[spec 1 §2] %o shows %o', (query, expected) => {
    expect(numbers(listed(query, guests, nodes).rows)).toEqual(expected)
  })

  test('[spec 1 §2] running and stopped are counted among what is shown', () => {
    expect(listed({}, guests, nodes)).toMatchObject({ running: 3, stopped: 3 })
    expect(listed({ type: 'lxc' }, guests, nodes)).toMatchObject({ running: 1, stopped: 1 })
  })

  test('[spec 1 §4] on an offline node nothing counts as running, on an unknown one the guest decides', () => {
    expect(listed({}, [aGuest()], [aNode({ connectionHealth: 'error' })])).toMatchObject({
      running: 0,
      stopped: 1,
    })
    expect(listed({}, [aGuest()], [])).toMatchObject({ running: 1, stopped: 0 })
  })

  test('[spec 1 §5] uptime can be searched for at the time given', () => {
    const startedAt = Date.now() - 600_000
    const query = { matches: compileGuestSearch('uptime<700'), nowMs: startedAt + 600_000 }
    expect(listed(query, [aGuest({ startedAt })]).rows).toHaveLength(1)
    expect(listed({ ...query, nowMs: startedAt + 800_000 }, [aGuest({ startedAt })]).rows).toHaveLength(0)
  })
})

describe('order', () => {
  test('[spec 1 §4] by default the number decides', () => {
    expect(
      numbers(listed({}, [aGuest({ vmid: 9 }), aGuest({ vmid: 100 }), aGuest({ vmid: 20 })]).rows),
    ).toEqual([9, 20, 100])
  })

  test('names sort as people count', () => {
    const guests = ['web10', 'Web2', 'app'].map((name, i) => aGuest({ vmid: i, name }))
    const { rows } = listed({ sort: { key: 'name', direction: 'asc' } }, guests)
    expect(numbers(rows)).toEqual([2, 1, 0])
  })

  test.each(['asc', 'desc'] as const)('[spec 1 §4] missing values come last, sorted %s', (direction) => {
    const guests = [
      aGuest({ vmid: 1, status: 'stopped' }),
      aGuest({ vmid: 2, cpu: 0.9 }),
      aGuest({ vmid: 3, cpu: 0.1 }),
      aGuest({ vmid: 4, status: 'stopped' }),
    ]
    const order = direction === 'asc' ? [3, 2, 1, 4] : [2, 3, 1, 4]
    expect(numbers(listed({ sort: { key: 'cpu', direction } }, guests).rows)).toEqual(order)
  })

  test.each(['asc', 'desc'] as const)(
    '[spec 1 §4] a figure that is not shown is missing, sorted %s: what was stopped when its source fell silent',
    (direction) => {
      const silent = aNode({ connectionHealth: 'error', staleSince: 1 })
      const guests = [
        aGuest({ vmid: 1, status: 'stopped', cpu: 0, staleSince: 1 }),
        aGuest({ vmid: 2, cpu: 0.3, staleSince: 1 }),
      ]
      const { rows } = listed({ sort: { key: 'cpu', direction } }, guests, [silent])
      expect(numbers(rows)).toEqual([2, 1])
    },
  )

  test('[spec 1 §4] a figure that is not shown is missing: what is paused on a node that is off', () => {
    const off = aNode({ node: 'pve9', status: 'offline' })
    const memory = { total: 100, used: 90, free: 10, usage: 90 }
    const guests = [
      aGuest({ vmid: 1, node: 'pve9', status: 'paused', memory }),
      aGuest({ vmid: 2, memory: { ...memory, used: 20, usage: 20 } }),
    ]
    const { rows } = listed({ sort: { key: 'memory', direction: 'desc' } }, guests, [aNode(), off])
    expect(numbers(rows)).toEqual([2, 1])
  })

  test('[spec 1 §2] grouped, each node has a header; online nodes first, then by name', () => {
    const nodes = [
      aNode({ node: 'b' }),
      aNode({ node: 'a', status: 'offline' }),
      aNode({ node: 'c', displayName: 'Archive' }),
    ]
    const guests = [
      aGuest({ vmid: 1, node: 'a' }),
      aGuest({ vmid: 2, node: 'b' }),
      aGuest({ vmid: 3, node: 'c' }),
      aGuest({ vmid: 4, node: 'b' }),
      aGuest({ vmid: 5, node: 'unknown' }),
    ]
    const head = (node: string) => `node:${nodeKey({ instance: 'main', node })}`
    expect(listed({ grouping: 'grouped' }, guests, nodes).rows).toEqual([
      head('c'),
      'guest:g3',
      head('b'),
      'guest:g2',
      'guest:g4',
      head('a'),
      'guest:g1',
      head('unknown'),
      'guest:g5',
    ])
  })

  test('[spec 1 §2] the headers follow when a node gets another name, though no guest changed', () => {
    const guests = [aGuest({ vmid: 1, node: 'a' }), aGuest({ vmid: 2, node: 'b' })]
    const live = aLive({
      guests: byVmid(guests),
      nodes: { a: aNode({ node: 'a' }), b: aNode({ node: 'b' }) },
    })
    const select = createGuestListSelector({ ...everything, grouping: 'grouped' })
    const order = () => select(live.store).rows.filter((row) => row.startsWith('guest:'))
    expect(order()).toEqual(['guest:g1', 'guest:g2'])
    live.put({
      nodes: { b: aNode({ node: 'b', displayName: 'A 1' }), a: aNode({ node: 'a', displayName: 'Z 1' }) },
    })
    expect(order()).toEqual(['guest:g2', 'guest:g1'])
  })

  test('a node without a guest to show has no header', () => {
    expect(listed({ grouping: 'grouped', type: 'lxc' }, [aGuest()]).rows).toEqual([])
  })

  test('two nodes of one name in different instances are two groups', () => {
    const guests = [aGuest({ vmid: 1, instance: 'a' }), aGuest({ vmid: 2, instance: 'b' })]
    const rows = listed({ grouping: 'grouped' }, guests, []).rows
    expect(rows.filter((row) => row.startsWith('node:'))).toHaveLength(2)
  })
})

describe('over many updates', () => {
  const guest = fc.record({
    vmid: fc.integer({ min: 100, max: 109 }),
    cpu: fc.constantFrom(0, 0.1, 0.5, 0.9),
    name: fc.constantFrom('a', 'b', 'B', 'c10', 'c2'),
    type: fc.constantFrom('qemu' as const, 'lxc' as const),
    status: fc.constantFrom('running', 'stopped'),
    node: fc.constantFrom('pve1', 'pve2'),
  })

  test('starting from the last order gives what sorting from scratch gives', () => {
    const sort = fc.record({
      key: fc.constantFrom(...guestColumns.map(({ id }) => id)),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    })
    fc.assert(
      fc.property(
        sort,
        fc.constantFrom('grouped' as const, 'flat' as const),
        fc.array(fc.array(guest, { maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        (order, grouping, updates) => {
          const query = { ...everything, type: 'vm' as const, sort: order, grouping }
          const live = aLive()
          const incremental = createGuestListSelector(query)
          for (const update of updates) {
            live.put({ guests: byVmid(update.map((change) => aGuest(change))) })
            expect(incremental(live.store)).toEqual(createGuestListSelector(query)(live.store))
          }
        },
      ),
    )
  })

  test('an unchanged order is an equal list, however the figures moved', () => {
    const live = aLive({ guests: byVmid([aGuest({ vmid: 1 }), aGuest({ vmid: 2 })]) })
    const select = createGuestListSelector(everything)
    const before = select(live.store)
    live.put({ guests: byVmid([aGuest({ vmid: 1, cpu: 0.99 })]) })
    expect(sameGuestList(before, select(live.store))).toBe(true)
    live.put({ guests: byVmid([aGuest({ vmid: 1, status: 'stopped' })]) })
    expect(sameGuestList(before, select(live.store))).toBe(false)
  })
})

describe('figures that no row reads', () => {
  const watched = (query: Partial<GuestQuery>) => {
    const live = aLive({
      guests: byVmid([aGuest({ vmid: 100 }), aGuest({ vmid: 101 })]),
      nodes: { n: aNode() },
    })
    const asked: string[] = []
    const records = live.store.records('guests')
    const get = (id: string) => (asked.push(id), records.get(id))
    const counting: LiveReader = {
      ...live.store,
      records: (kind) =>
        (kind === 'guests' ? Object.assign(new Map(records), { get }) : live.store.records(kind)) as never,
    }
    const select = createGuestListSelector({ ...everything, matches: undefined, ...query })
    select(counting)
    return (fields: Record<string, unknown>) => {
      asked.length = 0
      live.set('guests', { g100: fields })
      select(counting)
      return asked
    }
  }
  const figures = {
    cpu: 0.97,
    'memory.used': 7,
    'disk.used': 8,
    diskRead: 1,
    diskWrite: 2,
    networkIn: 3,
    networkOut: 4,
  }

  test('have no guest looked at again', () => {
    expect(watched({})(figures)).toEqual([])
    expect(
      watched({ focus: 'unreachable', grouping: 'grouped', type: 'vm', status: 'running' })(figures),
    ).toEqual([])
  })

  test.each([
    [{ sort: { key: 'cpu', direction: 'desc' } }, { cpu: 0.5 }],
    [{ sort: { key: 'memory', direction: 'desc' } }, { 'memory.used': 5 }],
    [{ sort: { key: 'disk', direction: 'desc' } }, { 'disk.used': 5 }],
    [{ sort: { key: 'networkOut', direction: 'desc' } }, { networkOut: 5 }],
    [{ sort: { key: 'uptime', direction: 'desc' } }, { startedAt: 5 }],
    [{ matches: compileGuestSearch('memory>50') }, { 'memory.used': 5 }],
    [{ focus: 'attention' }, { cpu: 0.95 }],
    [{}, { status: 'stopped' }],
  ] as const)('are no longer those when it is about them: %o, %o', (query, fields) => {
    expect(watched(query)(fields)).toEqual(['g100'])
  })
})
