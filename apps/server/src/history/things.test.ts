import type { AnyRecord } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import type { Thing } from '../db/history/messages.ts'
import { createThings } from './things.ts'

const T0 = 1_790_000_000_000
const minute = 60_000

function given(things: readonly Thing[] = []) {
  const guests = new Map<string, AnyRecord>()
  const sources = new Map<string, unknown>([['main', { name: 'prod', kind: 'pve', health: 'healthy' }]])
  const tables = new Proxy({ guests, sources } as unknown as Tables, {
    get: (known, kind) => Reflect.get(known, kind) ?? new Map(),
  })
  const now = { ms: T0 }
  const highest = things.length > 0 ? { guests: Math.max(...things.map(({ number }) => number)) } : {}
  return {
    sources,
    guests,
    put: (id: string, change: Parameters<typeof aGuest>[0] = {}) =>
      void guests.set(id, aGuest({ source: id.split(':')[0]!, name: 'web', ...change })),
    registry: createThings(tables, { things: [...things], highest }, () => now.ms),
    now,
  }
}

test('[M 1.4] numbers count per kind, and only news is stored', () => {
  const { put, registry } = given()
  put('main:100')
  put('main:101')
  expect([registry.numberOf('guests', 'main:100'), registry.numberOf('guests', 'main:101')]).toEqual([0, 1])
  expect(registry.numberOf('nodes', 'main:pve1')).toBe(0)
  expect(registry.sync()).toHaveLength(3)
  expect(registry.numberOf('guests', 'main:100')).toBe(0)
  expect(registry.sync()).toEqual([])
})

test('[M 1.4] while its source is away, a thing is not gone', () => {
  const { put, registry, guests, sources, now } = given()
  put('main:100')
  registry.numberOf('guests', 'main:100')
  registry.sync()
  guests.clear()
  sources.set('main', { name: 'prod', kind: 'pve', health: 'error' })
  for (let n = 0; n < 60; n++) {
    now.ms += minute
    expect(registry.sync()).toEqual([])
  }
  sources.set('main', { name: 'prod', kind: 'pve', health: 'healthy' })
  expect(registry.sync()).toEqual([])
  now.ms += 10 * minute
  expect(registry.sync()).toMatchObject([{ id: 'main:100', goneAt: T0 + 60 * minute }])
})

test('[M 1.4] a guest that was deleted while Pulse was off, and its number used again, is another one', () => {
  const stored = {
    kind: 'guests',
    number: 7,
    id: 'main:100',
    alias: 'pve prod:100',
    mark: 'qemu old',
  } as const
  const { put, registry } = given([stored])
  put('main:100', { name: 'new', type: 'qemu' })
  expect(registry.numberOf('guests', 'main:100')).toBe(8)
  expect(registry.sync()).toMatchObject([
    { number: 7, mark: 'qemu old', goneAt: T0 },
    { number: 8, mark: 'qemu new' },
  ])
})

test('[M 1.4] a guest that is there after a restart continues', () => {
  const stored = {
    kind: 'guests',
    number: 7,
    id: 'main:100',
    alias: 'pve prod:100',
    mark: 'qemu web',
  } as const
  const { put, registry } = given([stored])
  put('main:100', { type: 'qemu' })
  expect(registry.numberOf('guests', 'main:100')).toBe(7)
  expect(registry.sync()).toEqual([])
})

test('two connections with the same name have their own things while both exist', () => {
  const { put, registry, sources } = given()
  sources.set('other', { name: 'prod', kind: 'pve', health: 'healthy' })
  put('main:100')
  put('other:100')
  expect([registry.numberOf('guests', 'main:100'), registry.numberOf('guests', 'other:100')]).toEqual([0, 1])
})

test('[M 4] memory is bounded by what exists, not by what ever was', () => {
  const { put, registry, guests, now } = given()
  for (let n = 0; n < 25_000; n++) {
    put(`main:${n}`)
    registry.numberOf('guests', `main:${n}`)
  }
  guests.clear()
  registry.sync()
  now.ms += 11 * minute
  expect(registry.sync()).toHaveLength(25_000)
  registry.resend()
  expect(registry.sync()).toHaveLength(10_000)
})
