import { expect, test } from 'vitest'
import { StorageSight } from './sight.ts'

const audit = { 'Datastore.Audit': 1 }
const everything = { '/': audit, '/storage': audit }

function given() {
  const sight = new StorageSight()
  sight.list(['local', 'nas'], 0)
  return sight
}

test('what has left the list is asked about at once; what was removed is let go as soon as the rights say so', () => {
  const sight = given()
  expect(sight.list(['local', 'nas'], 10_000)).toBe(false)
  expect(sight.list(['local'], 20_000)).toBe(true)
  expect(sight.isMissing('nas')).toBe(true)
  // It inherits what it needs: that it may not be seen could only be said by its own name.
  expect(sight.doubtful(everything)).toEqual(['/storage/nas'])
  sight.answered('/storage/nas', audit)
  sight.know(everything)
  expect([sight.isHidden('nas'), sight.isMissing('nas')]).toEqual([false, false])
  expect(sight.list(['local'], 30_000)).toBe(false)
})

test.each([
  ['on its own path', { ...everything, '/storage/nas': { 'Datastore.AllocateTemplate': 1 } }, false],
  ['on all of them', { '/': {}, '/storage': {} }, false],
  ['on its own path, where nothing else is allowed', everything, true],
])('a storage whose right was lost %s is hidden until it is back', (_where, granted, isAsked) => {
  const sight = given()
  sight.list(['local'], 10_000)
  expect(sight.doubtful(granted)).toEqual(isAsked ? ['/storage/nas'] : [])
  if (isAsked) sight.answered('/storage/nas', {})
  expect(sight.know(granted)).toEqual(isAsked ? { ...granted, '/storage/nas': {} } : granted)
  expect(sight.isHidden('nas')).toBe(true)
  sight.list(['local'], 3_600_000)
  sight.know(granted)
  expect(sight.isHidden('nas')).toBe(true)
  expect(sight.list(['local', 'nas'], 3_610_000)).toBe(true)
  expect(sight.isMissing('nas')).toBe(false)
})

test('where the rights cannot be had, what has left the list is let go after a minute', () => {
  const sight = given()
  sight.list(['local'], 20_000)
  expect(sight.list(['local'], 79_000)).toBe(false)
  expect(sight.isMissing('nas')).toBe(true)
  sight.list(['local'], 80_000)
  expect(sight.isMissing('nas')).toBe(false)
})

test('of many some are asked about at each look, and all have their turn', () => {
  const names = Array.from({ length: 12 }, (_, index) => `nas${index}`)
  const sight = new StorageSight()
  sight.list(names, 0)
  sight.list([], 10_000)
  const asked = new Set<string>()
  for (let look = 0; look < 3; look++) {
    const paths = sight.doubtful(everything)
    expect(paths.length).toBeLessThanOrEqual(5)
    for (const path of paths) {
      asked.add(path)
      sight.answered(path, {})
    }
    sight.know(everything)
  }
  expect(asked.size).toBe(12)
  expect(names.every((name) => sight.isHidden(name))).toBe(true)
})

test('a thousand that left the list at once are judged without going through all that is granted for each', () => {
  const sight = new StorageSight()
  const names = Array.from({ length: 1_000 }, (_, index) => `nas${index}`)
  sight.list(names, 0)
  sight.list([], 10_000)
  let listings = 0
  const granted = new Proxy(everything, { ownKeys: (all) => (listings++, Reflect.ownKeys(all)) })
  expect(sight.doubtful(granted)).toHaveLength(5)
  sight.know(granted)
  expect(listings).toBeLessThanOrEqual(1)
  expect(names.some((name) => sight.isHidden(name))).toBe(false)
})

test('of a dozen that went out of sight at once none is let go before it was asked about', () => {
  const names = Array.from({ length: 12 }, (_, index) => `nas${index}`)
  const sight = new StorageSight()
  sight.list(names, 0)
  sight.list([], 10_000)
  for (const [at, isAwaiting] of [
    [10_100, true],
    [70_200, true],
    [130_300, false],
  ] as const) {
    sight.list([], at - 100)
    for (const path of sight.doubtful(everything)) sight.answered(path, {})
    sight.know(everything)
    expect(sight.isAwaiting).toBe(isAwaiting)
  }
  expect(names.every((name) => sight.isHidden(name))).toBe(true)
})

test('nobody waits for ever for the answer about one of them', () => {
  const sight = given()
  sight.list(['local'], 10_000)
  sight.doubtful(everything)
  sight.list(['local'], 600_000)
  expect(sight.isMissing('nas')).toBe(true)
  sight.list(['local'], 610_000)
  expect([sight.isMissing('nas'), sight.isAwaiting]).toEqual([false, false])
})

// With a storage PVE removes its own access list (PVE 8, remove_storage_access): then rights say the same of both.
test('what cannot be seen for a day was removed', () => {
  const sight = given()
  for (let at = 10_000; at < 86_410_000; at += 600_000) {
    sight.list(['local'], at)
    sight.know({ '/storage/local': audit })
    expect(sight.isHidden('nas')).toBe(true)
  }
  sight.list(['local'], 86_410_000)
  expect(sight.isMissing('nas')).toBe(false)
})
