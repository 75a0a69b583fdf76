import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { createExpansion } from '../../parts/list/expansion.ts'
import { createGuestTrails, trailLength } from './guest-trails.ts'

const memory = { total: 100, used: 50, free: 50, usage: 50 }
const running = (cpu: number) => aGuest({ status: 'running', cpu, memory })

function setUp(ids: readonly string[] = ['a', 'b']) {
  const live = aLive({ guests: Object.fromEntries(ids.map((id) => [id, running(0.1)])) })
  const counts = { reads: 0, listeners: 0 }
  const store: Parameters<typeof createGuestTrails>[0]['store'] = {
    get: (kind, id) => {
      counts.reads += 1
      return live.store.get(kind, id)
    },
    onRecord: (kind, id, listener) => {
      counts.listeners += 1
      const stop = live.store.onRecord(kind, id, listener)
      return () => {
        counts.listeners -= 1
        stop()
      }
    },
  }
  let clock = 0
  const open = createExpansion()
  const trails = createGuestTrails({ store, connection: live.connection }, () => (clock += 1000))
  return { live, counts, open, trails, stop: trails.follow(open) }
}

test('every figure that comes in while the details are open is one point', () => {
  const { live, open, trails } = setUp()
  open.toggle('a')
  live.put({ guests: { a: running(0.2) } })
  expect(trails.get('a')).toEqual({ times: [1000, 2000], cpu: [10, 20], memory: [50, 50] })
})

test('rows that are closed cost nothing: they have no listeners and no readers', () => {
  const ids = Array.from({ length: 200 }, (_, index) => `g${index}`)
  const { live, counts, open } = setUp(ids)
  for (let turn = 1; turn < 5; turn++) {
    live.put({ guests: Object.fromEntries(ids.map((id) => [id, running(turn / 10)])) })
  }
  expect(counts).toEqual({ reads: 0, listeners: 0 })
  open.toggle('g7')
  live.put({ guests: Object.fromEntries(ids.map((id) => [id, running(0.9)])) })
  expect(counts).toEqual({ reads: 2, listeners: 1 })
})

test('nothing is kept of a row that was closed, and nothing when the page is left', () => {
  const { counts, open, trails, stop } = setUp()
  open.toggle('a')
  open.toggle('b')
  open.toggle('a')
  expect(trails.get('a').times).toEqual([])
  expect(trails.get('b').times).toHaveLength(1)
  stop()
  expect(trails.get('b').times).toEqual([])
  expect(counts.listeners).toBe(0)
})

test('the oldest points go first', () => {
  const { live, open, trails } = setUp()
  open.toggle('a')
  for (let turn = 0; turn < trailLength + 10; turn++) live.put({ guests: { a: running(turn / 1000) } })
  const { times, cpu, memory: held } = trails.get('a')
  expect([times.length, cpu.length, held.length]).toEqual([trailLength, trailLength, trailLength])
  expect(times[0]).toBe(12_000)
})

test('what is stopped, silent or gone is a gap, and so is a lost connection, however long', () => {
  const { live, open, trails } = setUp()
  open.toggle('a')
  live.put({ guests: { a: aGuest({ status: 'stopped', cpu: 0, memory }) } })
  live.put({ guests: { a: { ...running(0.3), staleSince: 1 } } })
  live.put({ guests: { a: running(0.4) } })
  live.connection.set({ status: 'reconnecting' })
  live.connection.set({ status: 'disconnected' })
  live.connection.set({ status: 'connected' })
  live.put({ guests: { a: running(0.5) } })
  live.remove('guests', 'a')
  expect(trails.get('a').cpu).toEqual([10, undefined, undefined, 40, undefined, 50, undefined])
})
