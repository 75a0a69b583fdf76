import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { anEngine, minuteMs, pollMs, T0 } from './fixtures.ts'
import { busy, CPU, off, OFF } from './fixtures-guest.ts'

test('a single reading beyond the trigger is no alert, however long no other comes', () => {
  const { tell, poll, pass, open } = anEngine()
  tell('main', busy(0.85))
  pass(minuteMs)
  poll('main', busy(0.5))
  expect(open()).toEqual([])
})

test('passing time is no second check: a source that has not answered reports nothing new', () => {
  const { tell, poll, pass, open } = anEngine()
  tell('main', off)
  pass(minuteMs)
  expect(open()).toEqual([])
  poll('main')
  expect(open()).toEqual([OFF])
})

test('an unchanged figure is confirmed by the next answer of its source', () => {
  const { tell, poll, open } = anEngine()
  tell('main', busy(0.85))
  poll('main')
  expect(open()).toEqual([CPU])
})

test('stale records change nothing: alerts stay, and none fires', () => {
  const { tell, poll, open, trace } = anEngine()
  tell('main', { guests: [aGuest({ cpu: 0.9 }), aGuest({ vmid: 101, cpu: 0.9 })] })
  poll('main', { guests: [aGuest({ cpu: 0.91 }), aGuest({ vmid: 101, cpu: 0.1 })] })
  const stale = { staleSince: 1 }
  poll('main', { guests: [aGuest({ cpu: 0, ...stale }), aGuest({ vmid: 101, cpu: 0.95, ...stale })] })
  poll('main', { guests: [aGuest({ cpu: 0, ...stale }), aGuest({ vmid: 101, cpu: 0.96, ...stale })] })
  expect(open()).toEqual([CPU])
  expect(trace(CPU, CPU)).toMatchObject({ state: 'held', reason: 'Its data are stale.' })
})

test('an evaluation without news is no second check, however long ago the first was', () => {
  const { tell, pass, configure, open } = anEngine()
  tell('main', busy(0.85))
  pass(minuteMs)
  configure({ minimumDelta: 3 })
  expect(open()).toEqual([])
})

test('a pending figure that falls below its trigger starts again, even above its clear value', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.78))
  poll('main', busy(0.85))
  expect(alert(CPU)).toBeUndefined()
  poll('main', busy(0.86))
  expect(alert(CPU)).toMatchObject({ startTime: '2026-01-01T12:00:20.000Z' })
})

test('a pending alert is dropped when it is switched off, and when its record is removed', () => {
  const { tell, poll, configure, open, engine } = anEngine()
  tell('main', busy(0.85))
  configure({ disableAllGuests: true })
  expect(engine.size.tracked).toBe(0)
  configure({ disableAllGuests: false })
  poll('main', busy(0.86))
  expect(open()).toEqual([CPU])
  tell('main', { guests: [aGuest({ vmid: 101, cpu: 0.9 })] })
  expect(engine.size.tracked).toBe(1)
  tell('main', { guests: [] })
  expect(engine.size.tracked).toBe(0)
})

test('`lastSeen` is sent once a minute while nothing else changes', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  const sent = [1, 2, 3, 4, 5, 6].map((n) => poll('main', busy(0.85 + n / 1e6)).length)
  expect(sent).toEqual([0, 0, 0, 0, 0, 1])
  expect(alert(CPU)).toMatchObject({ lastSeen: '2026-01-01T12:01:10.000Z' })
})

test('an unchanged alert is confirmed by each answer of its source, and only then', () => {
  const { tell, poll, silence, pass, alert } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  for (let round = 0; round < 30; round++) poll('main')
  expect(alert(CPU)).toMatchObject({ lastSeen: '2026-01-01T12:05:10.000Z' })
  silence('main', { guests: [aGuest({ cpu: 0.85, staleSince: T0 })] })
  pass(10 * minuteMs)
  expect(alert(CPU)).toMatchObject({ lastSeen: '2026-01-01T12:05:10.000Z' })
})

test('an answer about something else is no second check', () => {
  const { tell, pass, open } = anEngine()
  const listed = (cpu: number, at: number) => tell('main', busy(cpu), { listedAt: at })
  listed(0.1, T0)
  pass(pollMs)
  listed(0.95, T0 + pollMs)
  // The next listing is almost due, and the source has just answered another call.
  pass(pollMs - 100)
  tell('main', {}, { listedAt: T0 + pollMs })
  expect(open()).toEqual([])
  pass(100)
  listed(0.95, T0 + 2 * pollMs)
  expect(open()).toEqual([CPU])
})
