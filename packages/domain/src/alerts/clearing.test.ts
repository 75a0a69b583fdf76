import { expect, test } from 'vitest'
import { events, anEngine, hourMs, minuteMs } from './fixtures.ts'
import { busy, CPU, off, OFF, on } from './fixtures-guest.ts'

test('a cleared condition does not fire again until it has ended; then it is a new alert', () => {
  const { tell, poll, pass, engine, moment, open, said, trace } = anEngine()
  tell('main', off)
  poll('main')
  expect(events(engine.clear([OFF], moment()))).toEqual([`cleared ${OFF}`])
  expect(engine.recentlyResolved().size).toBe(0)
  for (let hours = 0; hours < 48; hours++) {
    pass(hourMs)
    poll('main', off)
  }
  expect(open()).toEqual([])
  expect(trace('main:100', OFF)).toMatchObject({
    state: 'suppressed',
    reason: 'It was cleared, and fires again after the condition has ended once.',
  })
  poll('main', on)
  poll('main', off)
  poll('main')
  expect(open()).toEqual([OFF])
  expect(said.at(-1)!.stored.episode).toBe('episode-2')
})

test('a cleared figure has ended at its clear value, not before', () => {
  const { tell, poll, engine, moment, open } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  engine.clear([CPU], moment())
  for (const cpu of [0.78, 0.86, 0.77, 0.87, 0.88]) poll('main', busy(cpu))
  expect(open()).toEqual([])
  for (const cpu of [0.75, 0.86, 0.87]) poll('main', busy(cpu))
  expect(open()).toEqual([CPU])
})

test('a warning that was cleared fires again when it becomes critical', () => {
  const { tell, poll, engine, moment, open } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  engine.clear([CPU], moment())
  poll('main', busy(0.89))
  poll('main', busy(0.89))
  expect(open()).toEqual([])
  poll('main', busy(0.92))
  poll('main', busy(0.92))
  expect(open()).toEqual([CPU])
})

test.each(['stopped', 'killed'])('a cleared condition does not fire again after Pulse was %s', (how) => {
  const all = anEngine()
  all.tell('main', off)
  all.poll('main')
  const [cleared] = all.engine.clear([OFF], all.moment())
  const { stored, ending, at } = cleared!
  const rows = { alerts: [], gone: [{ stored, ending: ending!, endedAt: at }] }
  all.restart(minuteMs, how === 'killed' ? rows : undefined).look()
  all.poll('main', off)
  all.poll('main', off)
  expect(all.open()).toEqual([])
  all.poll('main', on)
  all.poll('main', off)
  all.poll('main')
  expect(all.open()).toEqual([OFF])
})

test('a cleared condition is forgotten when its record is removed', () => {
  const { tell, poll, pass, engine, moment } = anEngine()
  tell('main', off)
  poll('main')
  engine.clear([OFF], moment())
  expect(engine.size.tracked).toBe(1)
  tell('main', { guests: [] })
  pass(2 * hourMs)
  expect(engine.size).toEqual({ tracked: 0, due: 0, remembered: 0, kept: 0 })
})

test('a cleared alert does not count as flapping', () => {
  const { tell, poll, alert, engine, moment } = anEngine()
  tell('main', off)
  poll('main')
  for (let round = 0; round < 3; round++) {
    engine.clear([OFF], moment())
    poll('main', on)
    poll('main', off)
    poll('main')
  }
  expect(alert(OFF)!.metadata).not.toHaveProperty('flapping')
})
