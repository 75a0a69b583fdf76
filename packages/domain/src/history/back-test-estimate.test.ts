import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { settings, T0 } from '../alerts/fixtures.ts'
import type { backTest } from './back-test.ts'
import { active, fileSystemOf, guestsNamed, play } from './fixtures-back-test.ts'
import type { PlayedThing } from './played-thing.ts'
import { dayMs, hourMs, minuteMs } from './tiers.ts'

type Store = Parameters<typeof backTest>[1]

/** Minutes of CPU in thousandths, computed from thing and minute, and the thing-hours that are read. */
function aLargeStore(cpu: (thing: number, at: number) => number) {
  const read: { thing: number; hour: number }[] = []
  const store: Store = {
    *peaks(_field, things, from, to, visit) {
      for (let hour = from; hour < to; hour += hourMs) {
        const minutes = Array.from({ length: Math.min(4, (to - hour) / minuteMs) }, (_, n) => n * minuteMs)
        for (const thing of things)
          visit(
            thing,
            hour,
            hourMs / minutes.length,
            minutes.map((ms) => cpu(thing, hour + ms)),
          )
        yield
      }
    },
    samples: () => {
      throw new Error('not used')
    },
    buckets: (_tier, _field, things, from, to) => {
      read.push(...things.map((thing) => ({ thing, hour: from })))
      return things.map((thing) =>
        Array.from({ length: (to - from) / minuteMs }, (_, n) => {
          const value = cpu(thing, from + n * minuteMs)
          return {
            start: from + n * minuteMs,
            bucket: { count: 6, min: value, max: value, mean: value, last: value },
          }
        }),
      )
    },
  }
  return { store, read }
}

const thousands = (count: number) => guestsNamed(Array.from({ length: count }, (_, n) => 100 + n))
const to = T0 + 14 * dayMs
const mostHours = 3_000

describe('[M 3.7] a back-test of a threshold that is reached too often to be played for all', () => {
  test('plays some of the things over all days, and scales the counts', () => {
    // ten minutes above the threshold, every day at another hour
    const { store, read } = aLargeStore((thing, at) =>
      Math.floor((at - T0) / hourMs) % 24 === thing % 24 && (at - T0) % hourMs < 10 * minuteMs ? 900 : 100,
    )
    const result = play(store, { things: thousands(2_500), to, rawFrom: Infinity })
    expect(result.from).toBe(T0)
    expect(read.length).toBeGreaterThan(mostHours / 3)
    expect(read.length).toBeLessThanOrEqual(mostHours)
    const { estimate } = result
    expect(estimate?.of).toBe(2_500)
    expect(result.total).toBeGreaterThan(0.98 * 14 * 2_500)
    expect(result.total).toBeLessThan(1.02 * 14 * 2_500)
    expect(result.things).toBe(2_500)
    const perDay = result.perDay.slice(1, -1).map(({ count }) => count)
    expect(perDay.every((count) => Math.abs(count - 2_500) < 0.05 * 2_500)).toBe(true)
    expect(result.totalMs / result.total).toBeCloseTo(10 * minuteMs, -4)
    // named are those that were played
    const played = new Set(read.map(({ thing }) => `main:${100 + thing}`))
    expect(played.size).toBe(estimate!.played)
    expect(result.top.every(({ id, count }) => played.has(id) && count === 14)).toBe(true)
  })

  test('with every guest above it all the time plays all days, not the last hours', () => {
    const { store, read } = aLargeStore(() => 900)
    const result = play(store, { things: thousands(10_000), to: to + 0.5 * hourMs, rawFrom: Infinity })
    expect(result).toMatchObject({ from: T0, total: 10_000, things: 10_000 })
    expect(result.estimate).toMatchObject({ of: 10_000 })
    expect(result.perDay[0]!.count).toBe(10_000)
    expect(result.totalMs).toBeCloseTo(10_000 * (14 * dayMs + 0.5 * hourMs), -10)
    expect(read.length).toBeLessThanOrEqual(mostHours)
    expect(new Set(read.map(({ hour }) => hour)).size).toBe(14 * 24 + 1)
  })

  test('counts the hours in which an alert only stays open', () => {
    // one peak, and 14 days between the trigger and the clear value
    const { store, read } = aLargeStore((_, at) => (at < T0 + 10 * minuteMs ? 900 : 780))
    const result = play(store, { things: thousands(2_500), to, rawFrom: Infinity })
    expect(read.length).toBeLessThanOrEqual(mostHours)
    expect(result.total).toBe(2_500)
  })

  test('leaves out things that never reached it, and plays all where that is little work', () => {
    const { store } = aLargeStore((thing) => (thing < 5 ? 900 : 100))
    const result = play(store, { things: thousands(2_500), to, rawFrom: Infinity })
    expect(result).toMatchObject({ total: 5, things: 5 })
    expect(result.estimate).toBeUndefined()
  })

  test('counts guests, not their file systems', () => {
    // in hundredths of a percent
    const { store, read } = aLargeStore(() => 9_500)
    const things = thousands(5_000).map((thing, n): PlayedThing => {
      const vmid = 100 + Math.floor(n / 2)
      const guest = aGuest({ vmid, disks: [{ mountpoint: `/${n % 2}`, total: 100 }] })
      return { ...fileSystemOf(n, `main:${vmid}`, guest, 0), key: `main:${vmid}:${n % 2}` }
    })
    const result = play(store, { metric: 'disk', things, to, rawFrom: Infinity })
    expect(result).toMatchObject({ total: 5_000, things: 2_500, estimate: { of: 2_500 } })
    expect(read.length).toBeLessThanOrEqual(mostHours)
    // all file systems of each guest
    const played = new Set(read.map(({ thing }) => thing))
    expect(played.size).toBe(2 * result.estimate!.played)
    expect([...played].every((thing) => played.has(thing ^ 1))).toBe(true)
    expect(result.top.every(({ count }) => count === 2)).toBe(true)
  })

  test('does not scale the messages, because alerts share them', () => {
    const { store } = aLargeStore(() => 900)
    const schedule = { ...active.schedule, cooldown: 0, notifyOnResolve: false, maxAlertsHour: 0 }
    const config = settings({ activationState: 'active', schedule })
    const result = play(store, { things: thousands(5_000), to, rawFrom: Infinity, config })
    expect(result.total).toBe(5_000)
    expect(result.messages).toBe(1)
  })

  test('of thresholds that are all off says so', () => {
    const { store } = aLargeStore(() => 900)
    const off = { ...active.guestDefaults, cpu: { trigger: 0, clear: 0 } }
    const config = settings({ guestDefaults: off })
    expect(play(store, { things: thousands(3), to, config })).toMatchObject({ isOff: true, total: 0 })
    expect(play(store, { things: [], to })).toMatchObject({ isOff: false, total: 0 })
  })
})
