import type { Forecast } from '@pulse/contract'
import { aGuest, aGuestDisk } from '@pulse/testkit'
import { expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { DatabaseError } from '../database-error.ts'
import { dayMs, givenAnswers, givenDays, hourMs, minuteMs, storageId, T0 } from './fixtures-forecasts.ts'

const until = (probe: () => void) => vi.waitFor(probe, { timeout: within(20_000), interval: 5 })
const at = (days: number): Forecast => ({ fullAt: T0 + days * dayMs, since: T0 - 5 * dayMs })

test('[M 3.6] days of growth become a forecast and an alert; both are back after a restart; without the history, the alert stays', async () => {
  const { clock, live, soon, restart, poll, clear, forecast, alerts } = await givenDays()
  const usage = (time: number) => 60 + (5 * (time - T0)) / dayMs
  await live(2, usage)
  await soon()
  await until(() => expect(forecast()).toMatchObject({ reason: 'short' }))
  expect(alerts()).toEqual([])

  await live(3, usage)
  await soon()
  await until(() => expect(forecast()?.fullAt).toBeDefined())
  const { fullAt, earliestAt, latestAt } = forecast()!
  const days = (time: number | undefined) => (time! - clock.now()) / dayMs
  expect(days(fullAt)).toBeCloseTo(3, 0)
  expect(days(earliestAt)).toBeLessThanOrEqual(days(fullAt))
  expect(days(latestAt)).toBeGreaterThanOrEqual(days(fullAt))
  expect(alerts()).toContain(`full-within-${storageId}`)

  await restart()
  poll(usage(clock.now()))
  expect(forecast()).toBeUndefined()
  await soon()
  await until(() => expect(forecast()?.fullAt).toBeDefined())

  await clear()
  await soon()
  await until(() => expect(forecast()).toMatchObject({ reason: 'short' }))
  expect(alerts()).toContain(`full-within-${storageId}`)
})

test('[M 3.6] all things have one within a minute, a hundred per request', async () => {
  const { clock, observe, asked } = givenAnswers()
  observe('guests', ...Array.from({ length: 250 }, (_, n) => `main:${n}`))
  await clock.advance(minuteMs)
  expect(asked.map(({ ids }) => ids.length)).toEqual([100, 100, 50])
})

test('[M 3.6] a date is renewed after an hour, everything else after six, and a new thing is read at once', async () => {
  const { clock, observe, asked, answers } = givenAnswers()
  for (const id of ['a', 'b']) answers.set(id, at(10))
  observe('storage', 'a')
  await clock.advance(30 * minuteMs)
  expect(asked.flatMap(({ ids }) => ids)).toEqual(['a'])
  observe('storage', 'a', 'b')
  await clock.advance(minuteMs)
  expect(asked.flatMap(({ ids }) => ids)).toEqual(['a', 'b'])
  await clock.advance(30 * minuteMs)
  expect(asked.flatMap(({ ids }) => ids)).toEqual(['a', 'b', 'a'])
  asked.length = 0
  answers.set('a', { reason: 'flat' })
  await clock.advance(4 * hourMs)
  expect(asked.flatMap(({ ids }) => ids).filter((id) => id === 'a')).toEqual(['a'])
  await clock.advance(3.5 * hourMs)
  expect(asked.flatMap(({ ids }) => ids).filter((id) => id === 'a')).toEqual(['a', 'a'])
})

test('[M 3.6] Ceph is full at its full ratio, everything else at its size', async () => {
  const { clock, state, observe, asked } = givenAnswers()
  observe('storage', 'a')
  state.observe({ source: 'ceph', records: { cephClusters: new Map([['c', {} as never]]) } })
  await clock.advance(minuteMs)
  expect(asked.map(({ kind, fullPercent }) => [kind, fullPercent])).toEqual([
    ['storage', 100],
    ['cephClusters', 95],
  ])
})

test('[M 3.6] a guest without a date has none shown; a storage says why', async () => {
  const { clock, observe, answers, shown, published } = givenAnswers()
  for (const id of ['a', 'main:1']) answers.set(id, { reason: 'flat' })
  answers.set('main:2', at(10))
  observe('storage', 'a')
  observe('guests', 'main:1', 'main:2')
  await clock.advance(minuteMs)
  expect(published()).toEqual(['storage:a', 'guests:main:1', 'guests:main:2'])
  expect([shown('storage', 'a'), shown('guests', 'main:1'), shown('guests', 'main:2')]).toEqual([
    { reason: 'flat' },
    undefined,
    at(10),
  ])
})

test('[M 3.6] a guest that reports its file systems has a forecast of each, and none of their sum', async () => {
  const { clock, state, observe, asked, answers, fileSystems, published } = givenAnswers()
  const [id, key] = ['main:1', 'main:1:srv']
  answers.set(id, at(10))
  observe('guests', id)
  await clock.advance(minuteMs)
  expect(published()).toEqual([`guests:${id}`])

  const disk = aGuestDisk('/srv')
  const guest = aGuest({ source: 'main', disks: [disk] })
  state.observe({ source: 'main', records: { guests: new Map([[id, guest]]) } })
  fileSystems.set(key, { source: 'main', guestId: id, guest, disk })
  answers.set(key, at(20))
  asked.length = 0
  await clock.advance(2 * hourMs)
  expect(published()).toEqual([`fileSystems:${key}`])
  expect(state.tables.guests.get(id)).toMatchObject({ disks: [{ forecast: at(20) }] })
  expect(new Set(asked.map(({ kind }) => kind))).toEqual(new Set(['fileSystems']))

  answers.set(key, { reason: 'flat' })
  await clock.advance(2 * hourMs)
  expect(published()).toEqual([`fileSystems:${key}`])
  expect(state.tables.guests.get(id)!.disks![0]!.forecast).toBeUndefined()
})

test('[M 3.6] a forecast that moved a little changes no record', async () => {
  const { clock, observe, answers, shown, patches } = givenAnswers()
  observe('storage', 'a')
  for (const days of [100, 101, 99, 110]) {
    answers.set('a', at(days))
    await clock.advance(hourMs)
  }
  expect(patches()).toBe(2)
  expect(shown('storage', 'a')).toEqual(at(110))
})

test('[M 3.6] the forecast of a thing that is gone goes too', async () => {
  const { clock, observe, answers, published } = givenAnswers()
  for (const id of ['a', 'b']) answers.set(id, at(10))
  observe('storage', 'a', 'b')
  await clock.advance(minuteMs)
  observe('storage', 'b')
  await clock.advance(minuteMs)
  expect(published()).toEqual(['storage:b'])
})

test('[M 3.6] a guest that takes the VMID of a deleted one within a minute has no forecast of that one', async () => {
  const { clock, observe, answers, numbers, shown } = givenAnswers()
  answers.set('main:1', at(10))
  numbers.set('main:1', 0)
  observe('guests', 'main:1')
  await clock.advance(minuteMs)
  observe('guests')
  numbers.delete('main:1')
  await clock.advance(30_000)
  observe('guests', 'main:1')
  numbers.set('main:1', 1)
  answers.set('main:1', { reason: 'short' })
  await clock.advance(minuteMs)
  expect(shown('guests', 'main:1')).toBeUndefined()
})

test('[M 3.6] the forecast of another guest goes, although there is none of the one that has the VMID now', async () => {
  const { clock, observe, answers, numbers, published } = givenAnswers()
  answers.set('main:1', at(10))
  numbers.set('main:1', 0)
  observe('guests', 'main:1')
  await clock.advance(minuteMs)
  numbers.set('main:1', 1)
  answers.delete('main:1')
  await clock.advance(minuteMs)
  expect(published()).toEqual([])
})

test('[M 3.6] a forecast stays while it is not known which guest has the VMID', async () => {
  const { clock, observe, answers, numbers, asked, shown } = givenAnswers()
  answers.set('main:1', at(10))
  numbers.set('main:1', 0)
  observe('guests', 'main:1')
  await clock.advance(minuteMs)
  numbers.delete('main:1')
  await clock.advance(30 * minuteMs)
  expect([asked.length, shown('guests', 'main:1')]).toEqual([1, at(10)])
})

test('[M 3.6] while the history cannot be read, forecasts stay for twelve hours and are withdrawn then', async () => {
  const { clock, observe, answers, shown, fail, faults, alerts } = givenAnswers()
  answers.set('a', at(3))
  observe('storage', 'a')
  await clock.advance(minuteMs)
  fail(new DatabaseError('the metric history is not open', undefined))
  await clock.advance(11.9 * hourMs)
  expect(shown('storage', 'a')).toEqual(at(3))
  await clock.advance(hourMs)
  expect(shown('storage', 'a')).toBeUndefined()
  // unknown is not over
  expect(alerts()).toEqual(['full-within-a'])
  // the history itself reports its trouble
  expect(faults).toEqual([])
  fail(undefined)
  await clock.advance(minuteMs)
  expect(shown('storage', 'a')).toEqual(at(3))
})

test.each([25, -25])(
  '[M 3.6] a clock that is set by %i days leaves no forecast of another date',
  async (days) => {
    const { clock, observe, answers, shown, fail } = givenAnswers()
    answers.set('a', at(30))
    observe('storage', 'a')
    await clock.advance(minuteMs)
    clock.step(days * dayMs)
    answers.set('a', at(30 + days))
    await clock.advance(minuteMs)
    expect(shown('storage', 'a')).toEqual(at(30 + days))

    clock.step(-days * dayMs)
    fail(new DatabaseError('the metric history is not open', undefined))
    await clock.advance(minuteMs)
    expect(shown('storage', 'a')).toBeUndefined()
  },
)

test('[M 3.6] a small correction of the clock reads nothing again', async () => {
  const { clock, observe, answers, asked } = givenAnswers()
  answers.set('a', at(30))
  observe('storage', 'a')
  await clock.advance(minuteMs)
  clock.step(-minuteMs)
  await clock.advance(30 * minuteMs)
  expect(asked).toHaveLength(1)
})

test('[M 3.6] another error is a fault, and the next minute tries again', async () => {
  const { clock, observe, answers, shown, fail, faults } = givenAnswers()
  answers.set('a', at(3))
  observe('storage', 'a')
  fail(new TypeError('a fault'))
  await clock.advance(minuteMs)
  expect(faults).toEqual([new TypeError('a fault')])
  fail(undefined)
  await clock.advance(minuteMs)
  expect(shown('storage', 'a')).toEqual(at(3))
})

test('[M 3.6] another history begins: its forecasts replace those of before within a minute', async () => {
  const { clock, observe, answers, shown, forecasts } = givenAnswers()
  answers.set('a', at(3))
  observe('storage', 'a')
  await clock.advance(minuteMs)
  answers.delete('a')
  forecasts.restart()
  await clock.advance(minuteMs)
  expect(shown('storage', 'a')).toBeUndefined()
})
