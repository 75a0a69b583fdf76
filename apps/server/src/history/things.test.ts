import type { AnyRecord } from '@pulse/contract'
import { atOnce, type Tables } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createThings } from './things.ts'

const T0 = 1_790_000_000_000
const minute = 60_000

function given() {
  const guests = new Map<string, AnyRecord>()
  const fileSystems = new Map<string, AnyRecord>()
  const sources = new Map<string, unknown>([['main', { name: 'prod', kind: 'pve', health: 'healthy' }]])
  const tables = new Proxy({ guests, fileSystems, sources } as unknown as Tables, {
    get: (known, kind) => Reflect.get(known, kind) ?? new Map(),
  })
  const registry = createThings(tables, ['guests', 'nodes', 'fileSystems'])
  let ms = T0
  let next = 0
  /** a review that is stored unless it fails; new things get the next numbers */
  function review(isStored = true) {
    const found = atOnce(registry.review(ms))
    if (isStored)
      registry.accept(
        found,
        found.wanted.map(() => next++),
      )
    return { changes: found.changes, wanted: found.wanted.map(({ id }) => id) }
  }
  return {
    sources,
    guests,
    fileSystems,
    review,
    pass: (lengthMs: number) => void (ms += lengthMs),
    put: (id: string, change: Parameters<typeof aGuest>[0] = {}) =>
      void guests.set(id, aGuest({ source: id.split(':')[0]!, name: 'web', ...change })),
    numberOf: (id: string) => registry.numberOf('guests', id),
    identities: () => atOnce(registry.review(ms)).wanted,
  }
}

test('[M 1.4] a record is sampled once it has a number', () => {
  const { put, review, numberOf } = given()
  put('main:100')
  expect(numberOf('main:100')).toBeUndefined()
  expect(review(false).wanted).toEqual(['main:100'])
  expect(numberOf('main:100')).toBeUndefined()
  expect(review().wanted).toEqual(['main:100'])
  expect(numberOf('main:100')).toBe(0)
  expect(review()).toEqual({ changes: [], wanted: [] })
})

test('[M 1.4] a record is recognised by the name of its connection, too', () => {
  const { put, identities } = given()
  put('main:100', { type: 'qemu' })
  expect(identities()).toEqual([{ kind: 'guests', id: 'main:100', alias: 'pve prod:100', mark: 'qemu web' }])
})

test('[M 1.4] while its source is away, a thing is not gone', () => {
  const { put, review, guests, sources, pass } = given()
  put('main:100')
  review()
  guests.clear()
  sources.set('main', { name: 'prod', kind: 'pve', health: 'error' })
  for (let n = 0; n < 60; n++) {
    pass(minute)
    expect(review().changes).toEqual([])
  }
  sources.set('main', { name: 'prod', kind: 'pve', health: 'healthy' })
  expect(review().changes).toEqual([])
  pass(10 * minute)
  expect(review().changes).toEqual([{ kind: 'guests', number: 0, goneAt: T0 + 60 * minute }])
})

test('[M 1.4] a guest that is away for a short time keeps its number; under another name it is another one', () => {
  const { put, review, guests, numberOf, pass } = given()
  put('main:100')
  review()
  for (const name of ['web', 'db']) {
    guests.clear()
    pass(minute)
    review()
    put('main:100', { name })
    pass(minute)
    review()
    expect(numberOf('main:100')).toBe(name === 'web' ? 0 : 1)
  }
})

test('[M 1.4] a guest that was away and returns on a node that is down may be another one: it is not sampled until its name is known', () => {
  const { guests, put, review, numberOf } = given()
  put('main:100')
  review()
  guests.clear()
  review()
  put('main:100', { status: 'unknown' })
  review()
  expect(numberOf('main:100')).toBeUndefined()
  put('main:100')
  review()
  expect(numberOf('main:100')).toBe(0)
})

test('[M 1.4] a new name is stored, so that the guest is recognised after a restart', () => {
  const { put, review } = given()
  put('main:100', { type: 'qemu' })
  review()
  put('main:100', { type: 'qemu', name: 'renamed' })
  const change = { kind: 'guests', number: 0, mark: 'qemu renamed' }
  expect(review(false).changes).toEqual([change])
  expect(review().changes).toEqual([change])
  expect(review().changes).toEqual([])
})

test('[M 1.4] a guest without a name, on a node that is down at a start, waits for its number', () => {
  const { put, review, identities } = given()
  put('main:100', { type: 'qemu', status: 'unknown', name: 'VM 100' })
  expect(review()).toEqual({ changes: [], wanted: [] })
  put('main:100', { type: 'qemu', name: 'web' })
  expect(identities()).toMatchObject([{ id: 'main:100', mark: 'qemu web' }])
})

test('[M 1.4] the name that a guest has while its node is down changes nothing', () => {
  const { put, review, guests, numberOf, pass } = given()
  put('main:100', { name: 'web' })
  review()
  put('main:100', { status: 'unknown', name: 'VM 100' })
  expect(review()).toEqual({ changes: [], wanted: [] })
  put('main:100', { name: 'web' })
  expect(review()).toEqual({ changes: [], wanted: [] })
  // away, then listed without a name, then another guest
  guests.clear()
  review()
  put('main:100', { status: 'unknown', name: 'VM 100' })
  pass(minute)
  expect(review()).toEqual({ changes: [], wanted: [] })
  put('main:100', { name: 'db' })
  expect(review().wanted).toEqual(['main:100'])
  expect(numberOf('main:100')).toBe(1)
})

test('[M 1.4] the things of a connection that was removed are released at once', () => {
  const { put, review, guests, sources } = given()
  put('main:100')
  review()
  guests.clear()
  sources.delete('main')
  expect(review().changes).toEqual([{ kind: 'guests', number: 0, goneAt: T0 }])
})

test('[M 4] memory is bounded by what exists, not by what ever was', () => {
  const { put, review, guests, numberOf, pass } = given()
  for (let n = 0; n < 25_000; n++) put(`main:${n}`)
  review()
  guests.clear()
  review()
  pass(11 * minute)
  expect(review().changes).toHaveLength(25_000)
  expect([numberOf('main:0'), review().changes]).toEqual([undefined, []])
})

test('[M 1.4] a file system is that of its guest, also if the guest was renamed while it was not mounted', () => {
  const { put, review, guests, fileSystems, pass, numberOf, identities } = given()
  const mount = () =>
    void fileSystems.set('main:100:srv', { guestId: 'main:100', guest: guests.get('main:100') } as never)
  put('main:100')
  review()
  mount()
  const { mark } = identities()[0]!
  expect(review().wanted).toEqual(['main:100:srv'])

  fileSystems.clear()
  review()
  pass(11 * minute)
  expect(review().changes).toMatchObject([{ kind: 'fileSystems', number: 1 }])
  put('main:100', { name: 'renamed' })
  review()
  mount()
  expect(identities()).toMatchObject([{ id: 'main:100:srv', mark }])
  review()

  guests.clear()
  fileSystems.clear()
  review()
  put('main:100', { name: 'other' })
  mount()
  review()
  expect(numberOf('main:100')).not.toBe(0)
  expect(identities()).toMatchObject([{ id: 'main:100:srv' }])
  expect(identities()[0]!.mark).not.toBe(mark)
})
