import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { hourMs, settings, T0 } from '../alerts/fixtures.ts'
import { aStore, fileSystemOf, guestsNamed, play, recorded, tickMs } from './fixtures-back-test.ts'
import type { PlayedThing } from './played-thing.ts'
import { precisionOf } from './precision.ts'

const { toStored } = precisionOf.percent
const mounts = ['/', '/srv']
const guestOf = (vmid: number) =>
  aGuest({ vmid, name: `guest ${vmid}`, disks: mounts.map((mountpoint) => ({ mountpoint, total: 100 })) })
/** Two of each guest. */
const fileSystemsOf = (vmids: readonly number[], field?: number): PlayedThing[] =>
  vmids.flatMap((vmid, n) =>
    mounts.map((_, index) => fileSystemOf(2 * n + index, `main:${vmid}`, guestOf(vmid), index, field)),
  )
const hours = (count: number, percent: number): number[] =>
  Array.from({ length: count * (hourMs / tickMs) }, () => toStored(percent))
const disk = { kind: 'guests', metric: 'disk' } as const

describe('[M 3.7] a back-test of the file systems of guests', () => {
  const full = [
    [...hours(1, 50), ...hours(1, 95), ...hours(2, 50)],
    [...hours(1, 50), ...hours(2, 97), ...hours(1, 50)],
  ]
  const ticks = full[0]!.map((_, n) => full.map((one) => one[n]!))

  test.each([
    ['samples as polled', T0],
    ['minutes', Infinity],
  ])('counts them for their guest, and lists the alert of each: %s', (_, rawFrom) => {
    const things = fileSystemsOf([100])
    const result = play(recorded(ticks, 'percent'), { ...disk, things, to: T0 + 4 * hourMs, rawFrom })
    expect(result).toMatchObject({ total: 2, things: 1 })
    expect(Math.abs(result.totalMs - 3 * hourMs)).toBeLessThan(2 * 60_000)
    expect(result.top).toEqual([{ id: 'main:100', name: 'guest 100', count: 2, totalMs: result.totalMs }])
    expect(result.alerts).toMatchObject([
      { id: 'main:100', name: 'guest 100', fileSystem: '/', peak: 95 },
      { id: 'main:100', name: 'guest 100', fileSystem: '/srv', peak: 97 },
    ])
  })

  test.each([
    ['its key', 'guest:main:100'],
    ['its id', guestOf(100).id],
  ])('uses the override of the guest: %s', (_, key) => {
    const things = fileSystemsOf([100, 101])
    const store = recorded(
      hours(1, 95).map((load) => [load, load, load, load]),
      'percent',
    )
    const countsWith = (override: object) =>
      play(store, {
        ...disk,
        things,
        to: T0 + hourMs,
        config: settings({ activationState: 'active', overrides: { [key]: override } }),
      }).top.map(({ id, count }) => [id, count])
    expect(countsWith({ disk: { trigger: 96, clear: 90 } })).toEqual([['main:101', 2]])
    expect(countsWith({ disabled: true })).toEqual([['main:101', 2]])
    expect(countsWith({ disk: { trigger: 10, clear: 5 } })).toHaveLength(2)
  })

  test.each([
    ['samples as polled', T0],
    ['minutes', Infinity],
  ])('takes each thing from its own field, also if numbers are the same: %s', (_, rawFrom) => {
    const [whole] = guestsNamed([101])
    const things = [...fileSystemsOf([100], 2), whole!]
    expect(things.map(({ number }) => number)).toEqual([0, 1, 0])
    const store = aStore('percent')
    const [quiet, busy] = [hours(3, 50), [...hours(1, 50), ...hours(1, 95), ...hours(1, 50)]]
    for (const [n, load] of busy.entries())
      store.append(T0 + n * tickMs, [
        { field: 1, things: [0], values: [load] },
        { field: 2, things: [0, 1], values: [quiet[n]!, load] },
      ])
    for (const _step of store.compact(T0 + 3 * hourMs));
    const { alerts, top } = play(store, { ...disk, things, to: T0 + 3 * hourMs, rawFrom })
    expect(alerts.map(({ id, fileSystem }) => [id, fileSystem])).toEqual([
      ['main:100', '/srv'],
      ['main:101', undefined],
    ])
    expect(top.map(({ count }) => count)).toEqual([1, 1])
  })

  test('reads each field once an hour, and only what reached the trigger', () => {
    const store = recorded(ticks, 'percent')
    const read: [field: number, numbers: readonly number[], hour: number][] = []
    const spy = {
      peaks: store.peaks.bind(store),
      buckets: store.buckets.bind(store),
      samples(...[field, numbers, from, to]: Parameters<typeof store.samples>) {
        read.push([field, numbers, (from - T0) / hourMs])
        return store.samples(field, numbers, from, to)
      },
    }
    play(spy, { ...disk, things: fileSystemsOf([100]), to: T0 + 4 * hourMs })
    expect(read).toEqual([
      [1, [0, 1], 1],
      [1, [0, 1], 2],
      [1, [1], 3],
    ])
  })
})
