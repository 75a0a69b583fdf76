import type { Storage } from '@pulse/contract'
import { aNode, aStorage } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createListSelector, type ListQuery } from './list-selector.ts'

type Query = ListQuery<'storage', readonly [string], string>

const names = { record: 'pool', group: 'node' }
let looks: string[] = []

const byUsage: Query = {
  kind: 'storage',
  names,
  around: (live) => [[...live.ids('nodes')].join()],
  direction: 'desc',
  see(pool, _around, id) {
    looks.push(id)
    if (!pool.enabled) return undefined
    return { value: pool.usage, tie: Number(id.slice(1)), group: pool.node, mark: pool.status }
  },
}

function given(usages: Record<string, Partial<Storage>>, query: Partial<Query> = {}) {
  const live = aLive({ nodes: { n1: aNode() }, storage: toPools(usages) })
  const select = createListSelector({ ...byUsage, ...query })
  const put = (change: Record<string, Partial<Storage>>) => live.put({ storage: toPools(change) })
  const rows = (held?: boolean) => select(live.store, held).rows
  return { live, put, rows, list: (held?: boolean) => select(live.store, held) }
}
const toPools = (given: Record<string, Partial<Storage>>) =>
  Object.fromEntries(Object.entries(given).map(([id, change]) => [id, aStorage(change)]))

const three = { s1: { usage: 10 }, s2: { usage: 90 }, s3: { usage: 50 } }

describe('work', () => {
  const looked = (run: () => unknown) => {
    looks = []
    run()
    return looks
  }

  test('only what changed is looked at again', () => {
    const { put, rows } = given(three)
    expect(looked(rows)).toEqual(['s1', 's2', 's3'])
    expect(looked(rows)).toEqual([])
    put({ s2: { usage: 91 } })
    expect(looked(rows)).toEqual(['s2'])
  })

  test('nor what changed only in fields that it does not read', () => {
    const { live, rows } = given(three, { unread: new Set(['avail', 'shared']) })
    rows()
    live.set('storage', { s1: { avail: 7 }, s2: { avail: 8 }, s3: { status: 'inactive', avail: 9 } })
    expect(looked(rows)).toEqual(['s3'])
    live.put({ storage: toPools({ s1: { usage: 10 } }) })
    expect(looked(rows)).toEqual(['s1'])
  })

  test('when what stands around changes, all are', () => {
    const { live, rows } = given(three)
    rows()
    live.put({ nodes: { n1: aNode({ cpu: 0.9 }) } })
    expect(looked(rows)).toEqual([])
    live.put({ nodes: { n2: aNode({ node: 'pve2' }) } })
    expect(looked(rows)).toHaveLength(3)
  })

  test('what is only counted as something else orders nothing anew', () => {
    let ordered = 0
    const groups = (present: readonly string[]) => (ordered++, present)
    const { put, list } = given(three, { groups })
    const { rows } = list()
    put({ s2: { usage: 90, status: 'inactive' } })
    expect(Object.fromEntries(list().marks)).toEqual({ available: 2, inactive: 1 })
    expect([ordered, list().rows === rows]).toEqual([1, true])
    put({ s2: { usage: 5, status: 'inactive' } })
    expect(list().rows).not.toBe(rows)
    expect(ordered).toBe(2)
  })

  test('while nothing shown moved it is the same list, and the same rows while the order stays', () => {
    const { put, list } = given(three)
    const before = list()
    put({ s2: { usage: 90, used: 7 } })
    expect(list()).toBe(before)
    put({ s2: { usage: 80 } })
    expect(list().rows).toBe(before.rows)
    put({ s2: { usage: 80, status: 'inactive' } })
    expect(list().marks).not.toBe(before.marks)
  })
})

describe('a held order', () => {
  test('stays, says that it is of before, and is put right when it is let go', () => {
    const { put, list } = given(three)
    expect(list(true)).toMatchObject({ rows: ['pool:s2', 'pool:s3', 'pool:s1'], waiting: false })
    put({ s1: { usage: 99 } })
    expect(list(true)).toMatchObject({ rows: ['pool:s2', 'pool:s3', 'pool:s1'], waiting: true })
    expect(list(false)).toMatchObject({ rows: ['pool:s1', 'pool:s2', 'pool:s3'], waiting: false })
  })

  test('what goes leaves it, what comes is last', () => {
    const { live, put, rows } = given(three)
    rows()
    live.remove('storage', 's3')
    put({ s2: { usage: 90, enabled: false }, s4: { usage: 100 } })
    expect(rows(true)).toEqual(['pool:s1', 'pool:s4'])
  })

  test('below the heads of groups it stays within each', () => {
    const { put, rows } = given(
      { s1: { usage: 1, node: 'b' }, s2: { usage: 2, node: 'a' }, s3: { usage: 3, node: 'b' } },
      { groups: (present) => present.toSorted() },
    )
    const before = rows()
    expect(before).toEqual(['node:a', 'pool:s2', 'node:b', 'pool:s3', 'pool:s1'])
    put({ s1: { usage: 9, node: 'b' } })
    expect(rows(true)).toEqual(before)
    expect(rows()).toEqual(['node:a', 'pool:s2', 'node:b', 'pool:s1', 'pool:s3'])
  })
})

test('a snapshot, or a record that goes and comes back, gives what looking at all anew gives', () => {
  const update = fc.dictionary(
    fc.constantFrom('s1', 's2', 's3', 's4'),
    fc.option(fc.record({ usage: fc.constantFrom(1, 2, undefined), enabled: fc.boolean() })),
  )
  fc.assert(
    fc.property(fc.array(update, { maxLength: 6 }), fc.boolean(), (updates, asSnapshot) => {
      const { live, list } = given({})
      for (const change of updates) {
        const kept = Object.entries(change).filter(([, one]) => one !== null) as [string, Partial<Storage>][]
        const gone = Object.keys(change).filter((id) => change[id] === null)
        const patch = {
          put: new Map(Object.entries(toPools(Object.fromEntries(kept)))),
          remove: new Set(gone),
        }
        live.store.apply({ storage: patch }, asSnapshot ? ['storage'] : [])
        expect(list()).toEqual(createListSelector(byUsage)(live.store))
      }
    }),
  )
})
