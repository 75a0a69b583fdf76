import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyRecords, diffRecords, isEqual, mergePatches, type StatePatch } from './patch.ts'

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
  expect(isEqual([1, [2]], [1, [2]])).toBe(true)
  expect(isEqual([], {})).toBe(false)
})
