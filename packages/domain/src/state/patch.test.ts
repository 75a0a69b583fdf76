import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyRecords, diffRecords, isEqual, mergePatches, type StatePatch, takeInto } from './patch.ts'

const record = fc.record(
  { a: fc.integer({ min: 0, max: 3 }), b: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }) },
  { requiredKeys: ['a'] },
)
const records = fc
  .dictionary(fc.constantFrom('x', 'y', 'z', '__proto__', 'constructor'), record)
  .map((d) => new Map(Object.entries(d)))

describe('a change is a value', () => {
  test('apply(diff(a, b)) is b', () => {
    fc.assert(
      fc.property(records, records, (a, b) => {
        const patch = diffRecords(a, b)
        expect(patch ? applyRecords(a, patch) : a).toEqual(b)
      }),
    )
  })

  test('nothing differs: no patch', () => {
    fc.assert(fc.property(records, (a) => diffRecords(a, structuredClone(a)) === undefined))
  })

  test('untouched records keep their identity', () => {
    const a = new Map([
      ['x', { a: 1 }],
      ['y', { a: 2 }],
    ])
    const next = applyRecords(a, diffRecords(a, new Map([...a, ['y', { a: 3 }]]))!)
    expect(next.get('x')).toBe(a.get('x'))
  })

  test('merging two patches has the effect of both', () => {
    fc.assert(
      fc.property(records, records, records, (a, b, c) => {
        const first = { guests: diffRecords(a, b) } as unknown as StatePatch
        const second = { guests: diffRecords(b, c) } as unknown as StatePatch
        if (!first.guests || !second.guests) return
        const merged = mergePatches(first, second).guests!
        expect(applyRecords(a as never, merged as never)).toEqual(c)
      }),
    )
  })
})

test('a field set to undefined equals an absent one', () => {
  expect(isEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true)
  expect(isEqual({ a: 1 }, { a: 1, b: 0 })).toBe(false)
  expect(isEqual({}, { constructor: 'x' }), 'what every object inherits').toBe(false)
  expect(isEqual({ toString: 'x' }, {})).toBe(false)
  expect(isEqual([1, [2]], [1, [2]])).toBe(true)
  expect(isEqual([], {})).toBe(false)
})

class CountingMap extends Map<string, unknown> {
  touched = 0
  override set(id: string, value: unknown) {
    this.touched++
    return super.set(id, value)
  }
}

describe('a patch that collects others', () => {
  test('is what they are together, of the kinds that are wanted', () => {
    fc.assert(
      fc.property(fc.array(records, { minLength: 1, maxLength: 5 }), (states) => {
        const own: StatePatch = {}
        let merged: StatePatch = {}
        states.forEach((state, n) => {
          const guests = diffRecords(states[n - 1] ?? new Map(), state)
          const patch = { ...(guests && { guests }), nodes: { put: new Map(), remove: new Set(['n']) } }
          const wanted = { ...(guests && { guests }) } as unknown as StatePatch
          expect(takeInto(own, patch as unknown as StatePatch, ['guests'])).toBe(guests !== undefined)
          merged = mergePatches(merged, wanted)
        })
        expect(own).toEqual(merged)
      }),
    )
  })

  test('touches of a thousand small ones each record once, and changes none of them', () => {
    const patches = Array.from({ length: 1_000 }, (_, n) => ({
      guests: { put: new Map([[`g${n}`, { n }]]), remove: new Set([`gone${n}`]) },
    })) as unknown as StatePatch[]
    const puts = new CountingMap()
    const own = { guests: { put: puts, remove: new Set() } } as unknown as StatePatch
    for (const patch of patches) takeInto(own, patch, ['guests'])
    expect(own.guests!.put).toBe(puts)
    expect(puts.touched).toBe(1_000)
    expect([own.guests!.put.size, own.guests!.remove.size]).toEqual([1_000, 1_000])
    expect(patches[0]!.guests!.put.size).toBe(1)
  })
})
