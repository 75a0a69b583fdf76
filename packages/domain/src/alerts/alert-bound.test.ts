import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { alertLimits } from './alert-bound.ts'
import { alertLimitId } from './beyond-bound.ts'
import { events, anEngine, settings } from './fixtures.ts'

const limits = { ofSource: 10, inAll: 20 }
const config = settings({ timeThresholds: { guest: 0, node: 0, storage: 0, pbs: 0 } })
const warning = 0.85
const critical = 0.99

/** Guests of a cluster; the load of each follows from its index. */
const guests = (source: string, loads: readonly number[]) => ({
  guests: loads.map((cpu, n) => aGuest({ source, vmid: 100 + n, cpu, name: `${source} ${n}` })),
})
const many = (count: number, load = warning) => Array.from({ length: count }, () => load)

function bounded() {
  const now = anEngine(config, undefined, limits)
  const listed = (source?: string) =>
    [...now.engine.active().values()].filter(
      ({ id, resourceName }) => id !== alertLimitId && resourceName.startsWith(source ?? ''),
    )
  return {
    ...now,
    listed,
    severe: () => listed().filter(({ level }) => level === 'critical').length,
    rest: () => now.engine.active().get(alertLimitId),
  }
}

test('the list has a limit per source, and one alert counts the others', () => {
  const now = bounded()
  now.tell('a', guests('a', many(30)))
  expect(now.listed()).toHaveLength(10)
  expect(now.rest()).toMatchObject({
    level: 'warning',
    value: 20,
    message: 'And 20 more: Pulse lists 10 alerts per source and 20 in total, the most severe first',
  })
})

test('alerts without room get no history rows: only their number is reported', () => {
  const now = bounded()
  now.tell('a', guests('a', many(30)))
  for (let round = 0; round < 5; round++) now.poll('a', guests('a', many(30)))
  expect(now.said.filter(({ what }) => what === 'raised')).toHaveLength(11)
  expect(now.said.filter(({ what }) => what === 'resolved')).toEqual([])
})

test('a severe alert displaces a less severe one, and the count has the highest unlisted level', () => {
  const now = bounded()
  now.tell('a', guests('a', many(12)))
  now.poll('a', guests('a', [...many(12), ...many(4, critical)]))
  expect(now.listed()).toHaveLength(10)
  expect(now.severe()).toBe(4)
  expect(now.rest()).toMatchObject({ level: 'warning', value: 6 })
  now.poll('a', guests('a', [...many(12), ...many(11, critical)]))
  expect(now.severe()).toBe(10)
  expect(now.rest()).toMatchObject({ level: 'critical', value: 13 })
})

test('a displaced alert says so: its condition lasts and is not called resolved', () => {
  const now = bounded()
  now.tell('a', guests('a', many(12)))
  const changes = now.poll('a', guests('a', [...many(12), ...many(4, critical)]))
  const ends = changes.filter(({ what }) => what === 'resolved')
  expect(ends).toHaveLength(4)
  expect(new Set(ends.map(({ stored }) => stored.alert.endReason))).toEqual(new Set(['displaced']))
})

test('a flood of one source leaves room for another: the source with the most alerts loses some', () => {
  const now = bounded()
  now.tell('a', guests('a', many(50, critical)))
  now.tell('b', guests('b', many(50, critical)))
  expect(now.listed()).toHaveLength(20)
  now.tell('c', guests('c', many(3, critical)))
  expect(now.listed('c')).toHaveLength(3)
  expect(now.listed()).toHaveLength(20)
  now.tell('d', guests('d', many(50, critical)))
  expect(now.listed('d').length).toBeGreaterThanOrEqual(3)
  expect(now.listed('c')).toHaveLength(3)
  expect(now.listed()).toHaveLength(20)
})

test('equal sources do not displace each other in turn', () => {
  const now = bounded()
  const sources = ['a', 'b', 'c', 'd']
  const round = () => sources.flatMap((source) => now.poll(source, guests(source, many(50, critical))))
  for (let n = 0; n < 3; n++) round()
  expect(events(round())).toEqual([])
})

test('when others end, unlisted conditions become alerts with their original start, and the count resolves', () => {
  const now = bounded()
  now.tell('a', guests('a', many(12)))
  const since = new Date(now.moment().now).toISOString()
  const fewer = guests('a', [...many(8, 0.1), ...many(4)])
  now.poll('a', fewer)
  now.poll('a', fewer)
  expect(now.listed()).toHaveLength(4)
  expect(now.listed().every(({ startTime }) => startTime === since)).toBe(true)
  expect(now.rest()).toBeUndefined()
})

test('a displaced alert comes back as the same alert, with its acknowledgement', () => {
  const now = bounded()
  now.tell('a', guests('a', many(10)))
  const [one] = now.listed()
  for (const { id } of now.listed()) now.acknowledge(id)
  now.poll('a', guests('a', [...many(10), ...many(10, critical)]))
  expect(now.severe()).toBe(10)
  const calm = guests('a', [...many(10), ...many(10, 0.1)])
  now.poll('a', calm)
  now.poll('a', calm)
  expect(now.listed()).toHaveLength(10)
  expect(now.alert(one!.id)).toMatchObject({ acknowledged: true, startTime: one!.startTime })
})

test('alerts of an older version beyond the limit are displaced, not lost', () => {
  const before = anEngine(config)
  before.tell('a', guests('a', many(30)))
  const now = anEngine(config, before.engine.snapshot(before.moment()), limits)
  now.tell('a', guests('a', many(30)))
  expect(now.engine.active().size).toBe(11)
  expect(now.alert(alertLimitId)).toMatchObject({ value: 20 })
})

test('after a restart the count is reported again, or resolved when nothing is unlisted', () => {
  const now = anEngine(config, undefined, limits)
  now.tell('a', guests('a', many(30)))
  expect(events(now.restart().look())).toEqual([])
  expect(now.alert(alertLimitId)).toMatchObject({ value: 20 })
  now.poll('a', guests('a', many(10)))
  expect(now.alert(alertLimitId)).toBeUndefined()
  now.tell('a', guests('a', many(30)))
  now.tell('a', guests('a', many(30)))
  expect(now.alert(alertLimitId)).toMatchObject({ value: 20 })
  now.restart()
  now.tell('a', guests('a', many(5)))
  now.pass(20 * 60_000)
  expect(now.open()).toHaveLength(5)
})

test('conditions that are no longer judged are not counted', () => {
  const now = bounded()
  now.tell('a', guests('a', many(30)))
  now.configure({ enabled: false })
  expect(now.open()).toEqual([])
  now.configure({ enabled: true })
  expect(now.rest()).toMatchObject({ value: 20 })
  now.forget('a')
  expect(now.open()).toEqual([])
})

test('the trace explains why it is not listed', () => {
  const now = bounded()
  now.tell('a', guests('a', many(11)))
  const open = new Set(now.open())
  const [left] = many(11).flatMap((_, n) => {
    const id = [...now.explain(`a:${100 + n}`)].find(({ type }) => type === 'cpu')!.alertId
    return open.has(id) ? [] : [id]
  })
  expect(now.trace(left!, left!)?.steps.at(-1)).toContain('There are too many alerts')
})

test('[R18] 50 hosts with 990 broken guests each stay within the limits', () => {
  const now = anEngine(config)
  const loads = many(990, critical)
  for (let host = 0; host < 50; host++) now.tell(`h${host}`, guests(`h${host}`, loads))
  expect(now.engine.active().size).toBe(alertLimits.inAll + 1)
  expect(now.alert(alertLimitId)).toMatchObject({ value: 50 * 990 - alertLimits.inAll, level: 'critical' })
  expect(now.said.length).toBeLessThan(4 * alertLimits.inAll)
})
