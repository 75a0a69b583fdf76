import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spreadStep } from './spread.ts'

const none: ReadonlySet<string> = new Set()
const named = (costs: readonly number[]) => new Map<string, number>(costs.map((cost, n) => [`s${n}`, cost]))

/** Each collector takes its step in turn, and the leases let the first one win. Returns the steps until all rest. */
function settle(
  collectors: readonly string[],
  costs: ReadonlyMap<string, number>,
  holders: Map<string, string>,
  overdue = none,
): { rounds: number; moves: number } {
  let moves = 0
  for (let rounds = 0; rounds < 200; rounds++) {
    let isResting = true
    for (const own of collectors) {
      const { claim, release } = spreadStep({ own, collectors, costs, holders, overdue })
      for (const source of claim) if (!holders.has(source)) holders.set(source, own)
      for (const source of release) holders.delete(source)
      moves += release.length
      if (claim.length + release.length > 0) isResting = false
    }
    if (isResting) return { rounds, moves }
  }
  throw new Error('it never rests')
}

const loadsOf = (
  collectors: readonly string[],
  costs: ReadonlyMap<string, number>,
  holders: ReadonlyMap<string, string>,
) =>
  collectors.map((collector) =>
    [...costs].reduce((sum, [source, cost]) => sum + (holders.get(source) === collector ? cost : 0), 0),
  )

describe('[N 3] sources and collectors', () => {
  test('one collector has all sources', () => {
    const { claim } = spreadStep({
      own: 'a',
      collectors: ['a'],
      costs: named([3, 1, 2]),
      holders: new Map(),
      overdue: none,
    })
    expect(claim).toEqual(['s0', 's2', 's1'])
  })

  test('collectors with the same view never claim the same source, and leave none', () => {
    const view = { collectors: ['a', 'b', 'c'], costs: named([9, 5, 4, 4, 2, 1, 1]), holders: new Map() }
    const all = view.collectors.flatMap((own) => spreadStep({ ...view, own, overdue: none }).claim)
    expect(all.toSorted()).toEqual([...view.costs.keys()].toSorted())
    expect(new Set(all).size).toBe(all.length)
  })

  test('the sources of a collector that is gone are taken by the others, and no other source moves', () => {
    const costs = named(Array.from({ length: 12 }, () => 1))
    const holders = new Map<string, string>()
    settle(['a', 'b', 'c'], costs, holders)
    const before = new Map([...holders].filter(([, holder]) => holder !== 'c'))
    for (const [source, holder] of holders) if (holder === 'c') holders.delete(source)
    expect(settle(['a', 'b'], costs, holders).moves).toBe(0)
    expect(loadsOf(['a', 'b'], costs, holders)).toEqual([6, 6])
    for (const [source, holder] of before) expect(holders.get(source)).toBe(holder)
  })

  test('a new collector gets its part, one source at a time', () => {
    const costs = named(Array.from({ length: 12 }, () => 1))
    const holders = new Map<string, string>()
    settle(['a', 'b'], costs, holders)
    const { moves } = settle(['a', 'b', 'c'], costs, holders)
    expect(loadsOf(['a', 'b', 'c'], costs, holders).toSorted()).toEqual([4, 4, 4])
    expect(moves).toBe(4)
  })

  test('a source whose taker does not take it is taken by another one', () => {
    const view = { collectors: ['a', 'dead'], costs: named([1]), holders: new Map([['x', 'a']]), own: 'a' }
    const costs = new Map([...view.costs, ['x', 5]] as const)
    expect(spreadStep({ ...view, costs, overdue: none }).claim).toEqual([])
    expect(spreadStep({ ...view, costs, overdue: new Set(['s0']) }).claim).toEqual(['s0'])
  })

  test('whatever they cost, and whichever comes and goes, all are held, the work is even, and then nothing moves', () => {
    const cost = fc.integer({ min: 1, max: 50 })
    const change = fc.record({
      collectors: fc.integer({ min: 1, max: 6 }),
      costs: fc.array(cost, { maxLength: 40 }),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
        const holders = new Map<string, string>()
        for (const { collectors: count, costs: list } of changes) {
          const collectors = Array.from({ length: count }, (_, n) => `c${n}`)
          const costs = named(list)
          for (const [source, holder] of holders)
            if (!collectors.includes(holder) || !costs.has(source)) holders.delete(source)
          settle(collectors, costs, holders)
          expect([...holders.keys()].toSorted()).toEqual([...costs.keys()].toSorted())
          const loads = loadsOf(collectors, costs, holders)
          const heaviest = Math.max(0, ...list)
          const average = loads.reduce((sum, load) => sum + load, 0) / count
          expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(
            Math.max(heaviest, 0.25 * average) + 1e-9,
          )
        }
      }),
    )
  })
})
