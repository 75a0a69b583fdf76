import { aGuest } from '@pulse/testkit'
import { expect, test, vi } from 'vitest'
import { perStore, perVersion } from './per-version.ts'
import { createLiveStore } from './store.ts'

const patch = (name: string) => ({
  guests: { put: new Map([['a', aGuest({ name })]]), remove: new Set<string>() },
})
const aStore = () => createLiveStore((run) => run())

test('a value is computed once per version of its kinds', () => {
  const store = aStore()
  const compute = vi.fn(() => store.records('guests').get('a')?.name)
  const name = perVersion(['guests'], compute)
  store.apply(patch('web'))
  expect([name(store), name(store)]).toEqual(['web', 'web'])
  expect(compute).toHaveBeenCalledTimes(1)
  store.apply({ nodes: { put: new Map(), remove: new Set() } })
  expect(name(store)).toBe('web')
  expect(compute).toHaveBeenCalledTimes(1)
  store.apply(patch('db'))
  expect(name(store)).toBe('db')
})

test('undefined is cached too', () => {
  const store = aStore()
  const compute = vi.fn(() => undefined)
  const nothing = perVersion(['guests'], compute)
  expect([nothing(store), nothing(store)]).toEqual([undefined, undefined])
  expect(compute).toHaveBeenCalledTimes(1)
})

test('an equal result keeps its identity, another one does not', () => {
  const store = aStore()
  const names = perVersion(
    ['guests'],
    (live) => [...live.records('guests').values()].map(({ name }) => name),
    (a, b) => a.join() === b.join(),
  )
  store.apply(patch('web'))
  const before = names(store)
  store.apply(patch('web'))
  expect(names(store)).toBe(before)
  store.apply(patch('db'))
  expect(names(store)).toEqual(['db'])
})

test('each store has its own value', () => {
  const [one, other] = [aStore(), aStore()]
  one.apply(patch('web'))
  other.apply(patch('db'))
  const name = perVersion(['guests'], (live) => live.records('guests').get('a')?.name)
  expect([name(one), name(other), name(one)]).toEqual(['web', 'db', 'web'])
  const listOf = perStore(() => [] as string[])
  expect(listOf(one)).toBe(listOf(one))
  expect(listOf(one)).not.toBe(listOf(other))
})
