import { fakeClock } from '@pulse/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

const minute = 60_000
const given = (shares: Record<string, number>) => {
  const clock = fakeClock()
  const all = new Shares(clock)
  all.set(new Map(Object.entries(shares)))
  const takes = (name: string, times: number) =>
    Array.from({ length: times }, () => all.take(name)).filter((waitMs) => waitMs === 0).length
  return { clock, all, takes }
}

test('[design 13] the budget is the sum of what each may ask', () => {
  const { all } = given({ list: 6, members: 1, certificates: 0.2, rights: 0.2 })
  expect([all.sum, all.limit]).toEqual([7.4, 8])
  all.set(new Map([['list', 6]]))
  expect(all.limit).toBe(6)
})

test('a user that asks for more than its share gets what is left over, never the share of another', () => {
  const { takes } = given({ list: 3, greedy: 1, spare: 2 })
  expect([takes('greedy', 10), takes('list', 3), takes('greedy', 10), takes('spare', 2)]).toEqual([
    1, 3, 0, 2,
  ])
})

test('an expired share is free for every user', async () => {
  const { all, takes, clock } = given({ status: 2, storages: 2 })
  expect([takes('status', 2), takes('other', 5)]).toEqual([2, 0])
  await clock.advance(minute)
  all.set(new Map([['status', 2]]))
  expect(takes('status', 1)).toBe(1)
  expect([takes('other', 5), takes('status', 1)]).toEqual([0, 1])
})

test('a share below one a minute: the room for its one call is kept while it is due, and lent to others then', async () => {
  const { takes, clock } = given({ disks: 0.2, status: 2 })
  expect([takes('status', 2), takes('other', 1), takes('disks', 2)]).toEqual([2, 0, 1])
  await clock.advance(minute)
  expect([takes('other', 2), takes('status', 2)]).toEqual([1, 2])
  await clock.advance(4 * minute)
  expect([takes('other', 2), takes('disks', 1), takes('status', 2)]).toEqual([0, 1, 2])
})

test('a rhythm that fills its share exactly may be a little early: that is no shortage', async () => {
  const { all, clock } = given({ status: 2, storages: 1 })
  for (let n = 0; n < 10; n++) {
    let waitMs = all.take('status')
    if (n % 2 === 0) all.take('storages')
    expect(waitMs).toBeLessThanOrEqual(250)
    await clock.advance(waitMs)
    if (waitMs > 0) waitMs = all.take('status')
    await clock.advance(29_995)
  }
  expect(all.deferred).toBe(0)
})

test('a rhythm that was late once is not put off for it', async () => {
  const { all, takes, clock } = given({ status: 2, storages: 1, disks: 0.5 })
  takes('storages', 1)
  takes('status', 1)
  await clock.advance(31_000)
  takes('status', 1)
  await clock.advance(29_000)
  takes('storages', 1)
  takes('status', 1)
  await clock.advance(30_000)
  expect([takes('status', 1), all.deferred]).toEqual([1, 0])
})

test('waiting as long as it says is enough, and a refunded call does not count', () => {
  const { all, clock } = given({ status: 2 })
  expect([all.take('status'), all.take('status')]).toEqual([0, 0])
  const waitMs = all.take('status')
  clock.suspend(waitMs - 1)
  expect(all.take('status')).toBe(1)
  clock.suspend(1)
  expect(all.take('status')).toBe(0)
  all.refund('status')
  expect([all.take('status'), all.deferred, all.count()]).toEqual([0, 1, 1])
})

test('[design 9] users that ask at any time: never more than the budget in any minute, nor less than its share', () => {
  const names = ['a', 'b', 'c', 'none']
  const step = fc.record({ name: fc.constantFrom(...names), ms: fc.nat(20_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { all, clock } = given({ a: 3, b: 1, c: 0.5 })
      const taken: { at: number; name: string }[] = []
      for (const { name, ms } of steps) {
        clock.suspend(ms)
        const at = clock.monotonic()
        const within = taken.filter((one) => one.at > at - minute)
        const own = within.filter((one) => one.name === name).length
        const waitMs = all.take(name)
        if (waitMs === 0) taken.push({ at, name })
        expect(within.length + Number(waitMs === 0)).toBeLessThanOrEqual(5)
        if (name === 'a' && own < 3) expect(waitMs).toBe(0)
        if (name === 'b' && own < 1) expect(waitMs).toBe(0)
      }
    }),
    { numRuns: 200 },
  )
})
