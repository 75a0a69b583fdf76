import { expect, test } from 'vitest'
import { StorageVisibility } from './visibility.ts'

const audit = { 'Datastore.Audit': 1 }
const everything = { '/': audit, '/storage': audit }

function given() {
  const visibility = new StorageVisibility()
  visibility.list(['local', 'nas'], 0)
  return visibility
}

test('what has left the list is asked about at once; what was removed is let go as soon as the rights say so', () => {
  const visibility = given()
  expect(visibility.list(['local', 'nas'], 10_000)).toBe(false)
  expect(visibility.list(['local'], 20_000)).toBe(true)
  expect(visibility.isMissing('nas')).toBe(true)
  // The account inherits the right. Only a query by name could show that the storage is hidden.
  expect(visibility.doubtful(everything)).toEqual(['/storage/nas'])
  visibility.answered('/storage/nas', audit)
  visibility.know(everything)
  expect([visibility.isHidden('nas'), visibility.isMissing('nas')]).toEqual([false, false])
  expect(visibility.list(['local'], 30_000)).toBe(false)
})

test.each([
  ['on its own path', { ...everything, '/storage/nas': { 'Datastore.AllocateTemplate': 1 } }, false],
  ['on all of them', { '/': {}, '/storage': {} }, false],
  ['on its own path, where nothing else is allowed', everything, true],
])('a storage whose right was lost %s is hidden until it is back', (_where, granted, isAsked) => {
  const visibility = given()
  visibility.list(['local'], 10_000)
  expect(visibility.doubtful(granted)).toEqual(isAsked ? ['/storage/nas'] : [])
  if (isAsked) visibility.answered('/storage/nas', {})
  expect(visibility.know(granted)).toEqual(isAsked ? { ...granted, '/storage/nas': {} } : granted)
  expect(visibility.isHidden('nas')).toBe(true)
  visibility.list(['local'], 3_600_000)
  visibility.know(granted)
  expect(visibility.isHidden('nas')).toBe(true)
  expect(visibility.list(['local', 'nas'], 3_610_000)).toBe(true)
  expect(visibility.isMissing('nas')).toBe(false)
})

test('where the rights cannot be had, what has left the list is let go after a minute', () => {
  const visibility = given()
  visibility.list(['local'], 20_000)
  expect(visibility.list(['local'], 79_000)).toBe(false)
  expect(visibility.isMissing('nas')).toBe(true)
  visibility.list(['local'], 80_000)
  expect(visibility.isMissing('nas')).toBe(false)
})

test('of many some are asked about at each look, and all have their turn', () => {
  const names = Array.from({ length: 12 }, (_, index) => `nas${index}`)
  const visibility = new StorageVisibility()
  visibility.list(names, 0)
  visibility.list([], 10_000)
  const asked = new Set<string>()
  for (let look = 0; look < 3; look++) {
    const paths = visibility.doubtful(everything)
    expect(paths.length).toBeLessThanOrEqual(5)
    for (const path of paths) {
      asked.add(path)
      visibility.answered(path, {})
    }
    visibility.know(everything)
  }
  expect(asked.size).toBe(12)
  expect(names.every((name) => visibility.isHidden(name))).toBe(true)
})

test('a thousand that left the list at once are judged without going through all that is granted for each', () => {
  const visibility = new StorageVisibility()
  const names = Array.from({ length: 1_000 }, (_, index) => `nas${index}`)
  visibility.list(names, 0)
  visibility.list([], 10_000)
  let listings = 0
  const granted = new Proxy(everything, { ownKeys: (all) => (listings++, Reflect.ownKeys(all)) })
  expect(visibility.doubtful(granted)).toHaveLength(5)
  visibility.know(granted)
  expect(listings).toBeLessThanOrEqual(1)
  expect(names.some((name) => visibility.isHidden(name))).toBe(false)
})

test('of a dozen that vanished at once none is removed before its rights were asked', () => {
  const names = Array.from({ length: 12 }, (_, index) => `nas${index}`)
  const visibility = new StorageVisibility()
  visibility.list(names, 0)
  visibility.list([], 10_000)
  for (const [at, isAwaiting] of [
    [10_100, true],
    [70_200, true],
    [130_300, false],
  ] as const) {
    visibility.list([], at - 100)
    for (const path of visibility.doubtful(everything)) visibility.answered(path, {})
    visibility.know(everything)
    expect(visibility.isAwaiting).toBe(isAwaiting)
  }
  expect(names.every((name) => visibility.isHidden(name))).toBe(true)
})

test('the answer about one of them has a timeout', () => {
  const visibility = given()
  visibility.list(['local'], 10_000)
  visibility.doubtful(everything)
  visibility.list(['local'], 600_000)
  expect(visibility.isMissing('nas')).toBe(true)
  visibility.list(['local'], 610_000)
  expect([visibility.isMissing('nas'), visibility.isAwaiting]).toEqual([false, false])
})

// PVE also removes a storage's access list (PVE 8, remove_storage_access): removed and hidden look alike.
test('what cannot be seen for a day was removed', () => {
  const visibility = given()
  for (let at = 10_000; at < 86_410_000; at += 600_000) {
    visibility.list(['local'], at)
    visibility.know({ '/storage/local': audit })
    expect(visibility.isHidden('nas')).toBe(true)
  }
  visibility.list(['local'], 86_410_000)
  expect(visibility.isMissing('nas')).toBe(false)
})
