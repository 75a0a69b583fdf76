import fc from 'fast-check'
import { expect, test } from 'vitest'
import { usablePart } from './usable-part.ts'

const has = (value: unknown, bad: unknown): boolean =>
  value === bad ||
  (typeof value === 'object' && value !== null && Object.values(value).some((one) => has(one, bad)))

test('entries that are refused are left out at any depth, everything else stays', () => {
  const value = { a: 1, b: 'bad', c: { d: ['ok', 'bad', 2], e: { f: 'bad' } } }
  expect(usablePart(value, (part) => !has(part, 'bad'))).toEqual({
    value: { a: 1, c: { d: ['ok', 2], e: {} } },
    unusable: ['b', 'c.d.1', 'c.e.f'],
  })
})

test('an entry with required fields is left out as a whole', () => {
  const isUsable = (list: unknown) => (list as { id?: unknown }[]).every((one) => typeof one.id === 'string')
  expect(usablePart([{ id: 'a' }, { id: 7 }, {}], isUsable)).toEqual({
    value: [{ id: 'a' }],
    unusable: ['1', '2'],
  })
})

test('what is refused even when empty is not usable', () => {
  expect(usablePart([], () => false)).toBeUndefined()
  expect(usablePart('text', () => false)).toBeUndefined()
})

test('one bad entry among ten thousand costs few tries', () => {
  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, n) => [`guest-${n}`, n === 7_777 ? 'bad' : n]),
  )
  let tries = 0
  const part = usablePart(many, (candidate) => {
    tries++
    return !has(candidate, 'bad')
  })
  expect(part!.unusable).toEqual(['guest-7777'])
  expect(tries).toBeLessThan(50)
})

test('any JSON: what is left is accepted, and with nothing bad in it nothing is lost', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const part = usablePart({ value }, (candidate) => !has(candidate, true))
      expect(has(part!.value, true)).toBe(false)
      if (!has(value, true)) expect(part).toEqual({ value: { value }, unusable: [] })
    }),
  )
})
