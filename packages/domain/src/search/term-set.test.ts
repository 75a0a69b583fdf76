import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { termSet } from './term-set.ts'

// A small alphabet makes overlaps, prefixes and repeats likely.
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '1'), maxLength: 5 })
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '1'), maxLength: 24 })

describe('a set of terms', () => {
  test('finds any of them exactly when some occurs', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), text, (terms, where) => {
        expect(termSet(terms).any(where)).toBe(terms.some((term) => where.includes(term)))
      }),
    )
  })

  test('finds all of them exactly when every one occurs', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), text, (terms, where) => {
        const set = termSet(terms)
        expect(set.all(where)).toBe(terms.every((term) => where.includes(term)))
        expect(set.all(where), 'a second look gives the same answer').toBe(set.all(where))
      }),
    )
  })

  test('finds a term that ends inside another one', () => {
    expect(termSet(['abcd', 'bc']).any('xabcx')).toBe(true)
    expect(termSet(['she', 'he', 'hers']).all('shers')).toBe(true)
  })

  test('is empty without terms', () => {
    expect(termSet([]).any('anything')).toBe(false)
    expect(termSet([]).all('anything')).toBe(true)
  })
})
