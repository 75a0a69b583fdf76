import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { alertLimitId } from './beyond-bound.ts'
import { events, anEngine, minuteMs, settings } from './fixtures.ts'

const config = settings({ timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 } })
const warning = 0.85
const critical = 0.99
const guests = (loads: readonly number[], source = 'a') => ({
  guests: loads.map((cpu, n) => aGuest({ source, vmid: 100 + n, cpu, name: `${source} ${n}` })),
})
const many = (count: number, load = warning) => Array.from({ length: count }, () => load)
const id = (n: number, source = 'a') => `${source}:${100 + n}-cpu`

function bounded(inAll = 20) {
  const now = anEngine(config, undefined, { ofSource: 10, inAll })
  const displaced = () =>
    now.said
      .filter(({ stored }) => stored.alert.endReason === 'displaced')
      .map(({ stored }) => stored.alert.id)
  return { ...now, displaced, listed: () => now.open().filter((one) => one !== alertLimitId) }
}

test('of two equally severe alerts the acknowledged one makes room first', () => {
  const now = bounded()
  now.tell('a', guests(many(10)))
  for (const n of [2, 5, 7]) now.acknowledge(id(n))
  now.poll('a', guests(many(12)))
  expect(now.displaced().sort()).toEqual([id(5), id(7)].sort())
  expect(now.listed()).toEqual(expect.arrayContaining([id(2), id(10), id(11)]))
})

test('an acknowledged alert displaces no equally severe one: they do not alternate', () => {
  const now = bounded()
  now.tell('a', guests(many(10)))
  for (let n = 0; n < 10; n++) now.acknowledge(id(n))
  now.poll('a', guests(many(14)))
  expect(now.displaced()).toHaveLength(4)
  now.said.length = 0
  for (let round = 0; round < 5; round++) now.poll('a', guests(many(14)))
  expect(events(now.said)).toEqual([])
})

test('an acknowledged critical alert makes room for another critical one, and for no warning', () => {
  const now = bounded()
  now.tell('a', guests(many(10, critical)))
  now.acknowledge(id(3))
  now.poll('a', guests([...many(10, critical), warning]))
  expect(now.displaced()).toEqual([])
  now.poll('a', guests([...many(10, critical), critical, critical]))
  expect(now.displaced()).toEqual([id(3)])
})

test('beyond the total limit, an acknowledged alert of any source makes room first', () => {
  const now = bounded(6)
  now.tell('a', guests(many(3)))
  now.tell('b', guests(many(3), 'b'))
  now.acknowledge(id(0))
  now.poll('b', guests(many(4), 'b'))
  expect(now.displaced()).toEqual([id(0)])
  expect(now.listed()).toContain(id(3, 'b'))
})

test('of equal alerts the one that started last is displaced, not the one that was reported last', () => {
  const now = bounded()
  now.tell('a', guests([...many(4), 0.1, ...many(5)]))
  now.pass(minuteMs)
  now.poll('a', guests(many(10)))
  now.poll('a', guests([0.87, ...many(9)]))
  now.poll('a', guests([0.87, ...many(9), critical]))
  expect(now.displaced()).toEqual([id(4)])
})

test('a restart keeps the order', () => {
  const now = bounded()
  now.tell('a', guests([...many(4), 0.1, ...many(5)]))
  now.pass(minuteMs)
  now.poll('a', guests(many(10)))
  now.restart().look()
  now.poll('a', guests([...many(10), critical]))
  expect(now.displaced()).toEqual([id(4)])
})
