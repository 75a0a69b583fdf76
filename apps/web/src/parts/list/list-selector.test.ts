import type { Storage } from '@pulse/contract'
import { aNode, aStorage } from '@pulse/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createListSelector, type ListQuery } from './list-selector.ts'

type Query = ListQuery<'storage', readonly [string], string>

const names = { record: 'pool', group: 'node' }
let evaluations: string[] = []

const byUsage: Query = {
  kind: 'storage',
  names,
  context: (live) => [[...live.ids('nodes')].join()],
  direction: 'desc',
  toItem(pool, _context, id) {
    evaluations.push(id)
    if (!pool.enabled) return undefined
    return { value: pool.usage, tiebreaker: Number(id.slice(1)), group: pool.node, category: pool.status }
  },
}

function setup(usages: Record<string, Partial<Storage>>, query: Partial<Query> = {}) {
  const live = aLive({ nodes: { n1: aNode() }, storage: toPools(usages) })
  const select = createListSelector({ ...byUsage, ...query })
  const put = (change: Record<string, Partial<Storage>>) => live.put({ storage: toPools(change) })
  const rows = (keepOrder?: boolean) => select(live.store, keepOrder).rows
  return { live, put, rows, list: (keepOrder?: boolean) => select(live.store, keepOrder) }
}
const toPools = (changes: Record<string, Partial<Storage>>) =>
  Object.fromEntries(Object.entries(changes).map(([id, change]) => [id, aStorage(change)]))

const three = { s1: { usage: 10 }, s2: { usage: 90 }, s3: { usage: 50 } }

describe('incremental evaluation', () => {
  const evaluated = (run: () => unknown) => {
    evaluations = []
    run()
    return evaluations
  }

  test('only what changed is evaluated at again', () => {
    const { put, rows } = setup(three)
    expect(evaluated(rows)).toEqual(['s1', 's2', 's3'])
    expect(evaluated(rows)).toEqual([])
    put({ s2: { usage: 91 } })
    expect(evaluated(rows)).toEqual(['s2'])
  })

  test('skips changes in ignored fields', () => {
    const { live, rows } = setup(three, { ignoredFields: new Set(['avail', 'shared']) })
    rows()
    live.set('storage', { s1: { avail: 7 }, s2: { avail: 8 }, s3: { status: 'inactive', avail: 9 } })
    expect(evaluated(rows)).toEqual(['s3'])
    live.put({ storage: toPools({ s1: { usage: 10 } }) })
    expect(evaluated(rows)).toEqual(['s1'])
  })

  test('evaluates all records when the context changes', () => {
    const { live, rows } = setup(three)
    rows()
    live.put({ nodes: { n1: aNode({ cpu: 0.9 }) } })
    expect(evaluated(rows)).toEqual([])
    live.put({ nodes: { n2: aNode({ node: 'pve2' }) } })
    expect(evaluated(rows)).toHaveLength(3)
  })

  test('a changed category recounts without sorting', () => {
    let ordered = 0
    const groups = (present: readonly string[]) => (ordered++, present)
    const { put, list } = setup(three, { groups })
    const { rows } = list()
    put({ s2: { usage: 90, status: 'inactive' } })
    expect(Object.fromEntries(list().counts)).toEqual({ available: 2, inactive: 1 })
    expect([ordered, list().rows === rows]).toEqual([1, true])
    put({ s2: { usage: 5, status: 'inactive' } })
    expect(list().rows).not.toBe(rows)
    expect(ordered).toBe(2)
  })

  test('keeps the identity of an unchanged list, and of unchanged rows', () => {
    const { put, list } = setup(three)
    const before = list()
    put({ s2: { usage: 90, used: 7 } })
    expect(list()).toBe(before)
    put({ s2: { usage: 80 } })
    expect(list().rows).toBe(before.rows)
    put({ s2: { usage: 80, status: 'inactive' } })
    expect(list().counts).not.toBe(before.counts)
  })
})

describe('with keepOrder', () => {
  test('the order stays and is reported as pending until the next call without it', () => {
    const { put, list } = setup(three)
    expect(list(true)).toMatchObject({ rows: ['pool:s2', 'pool:s3', 'pool:s1'], orderPending: false })
    put({ s1: { usage: 99 } })
    expect(list(true)).toMatchObject({ rows: ['pool:s2', 'pool:s3', 'pool:s1'], orderPending: true })
    expect(list(false)).toMatchObject({ rows: ['pool:s1', 'pool:s2', 'pool:s3'], orderPending: false })
  })

  test('removed records leave, new records come last', () => {
    const { live, put, rows } = setup(three)
    rows()
    live.remove('storage', 's3')
    put({ s2: { usage: 90, enabled: false }, s4: { usage: 100 } })
    expect(rows(true)).toEqual(['pool:s1', 'pool:s4'])
  })

  test('the order stays within each group', () => {
    const { put, rows } = setup(
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

test('snapshots and returning records give the same list as a new selector', () => {
  const update = fc.dictionary(
    fc.constantFrom('s1', 's2', 's3', 's4'),
    fc.option(fc.record({ usage: fc.constantFrom(1, 2, undefined), enabled: fc.boolean() })),
  )
  fc.assert(
    fc.property(fc.array(update, { maxLength: 6 }), fc.boolean(), (updates, asSnapshot) => {
      const { live, list } = setup({})
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
