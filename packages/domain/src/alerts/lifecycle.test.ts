import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, hourMs, minuteMs, settings } from './fixtures.ts'
import { busy, CPU, off, OFF, on } from './fixtures-guest.ts'

test('[spec 3 §9] a figure beyond its trigger for longer than the delay of five seconds is one alert, dated from its start', () => {
  const { tell, poll, alert } = anEngine()
  expect(tell('main', busy(0.85))).toEqual([])
  expect(events(poll('main', busy(0.86)))).toEqual([`raised ${CPU}`])
  expect(alert(CPU)).toMatchObject({
    type: 'cpu',
    level: 'warning',
    resourceId: 'main-pve1-100',
    resourceName: 'vm-100',
    node: 'pve1',
    value: 86,
    threshold: 80,
    startTime: '2026-01-01T12:00:00.000Z',
    acknowledged: false,
    metadata: { clearThreshold: 75, resourceType: 'VM' },
  })
  expect(events(poll('main', busy(0.87)))).toEqual([])
})

test('[spec 3 §3] between clear and trigger an alert stays; at the clear value it resolves', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  const before = alert(CPU)
  expect(poll('main', busy(0.76))).toMatchObject([{ what: 'refreshed', stored: { noReminder: true } }])
  expect(alert(CPU)).toBe(before)
  expect(poll('main', busy(0.77))).toEqual([])
  expect(events(poll('main', busy(0.75)))).toEqual([`resolved ${CPU}`])
})

test('[spec 3 §3] ten above the trigger it is critical; message and value follow the last reading', () => {
  const { tell, poll, alert } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  expect(events(poll('main', busy(0.9)))).toEqual([`leveled ${CPU}`])
  expect(alert(CPU)).toMatchObject({ level: 'critical', value: 90 })
  expect(alert(CPU)!.message).toContain('90%')
  // A slightly lower figure keeps the level.
  expect(events(poll('main', busy(0.89)))).toEqual([])
  expect(alert(CPU)).toMatchObject({ level: 'critical', value: 89 })
  expect(events(poll('main', busy(0.84)))).toEqual([`leveled ${CPU}`])
})

test('a resolved alert is listed for five minutes as recently resolved, with its duration', () => {
  const { tell, poll, pass, engine } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  pass(2 * minuteMs)
  const [change] = poll('main', busy(0.1))
  expect(change).toMatchObject({ what: 'resolved', durationMs: 2 * minuteMs + 20_000, reason: 'Cleared.' })
  expect(engine.recentlyResolved().get(CPU)).toMatchObject({ resolvedTime: '2026-01-01T12:02:20.000Z' })
  pass(5 * minuteMs - 1)
  expect(engine.recentlyResolved().size).toBe(1)
  pass(1)
  expect(engine.recentlyResolved().size).toBe(0)
})

test('[spec 3 §9] a figure that recurs within five minutes and differs by less than two continues the same alert, which says so', () => {
  const { tell, poll } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  poll('main', busy(0.5))
  poll('main', busy(0.851))
  const [back] = poll('main', busy(0.852))
  expect(back).toMatchObject({ what: 'reopened', stored: { repeats: true, episode: 'episode-1' } })
  expect(back!.stored.alert).toMatchObject({ startTime: '2026-01-01T12:00:00.000Z', value: 85.2 })
})

test('it is shown at once, also when it is critical', () => {
  const { tell, poll, open } = anEngine()
  tell('main', busy(0.97))
  poll('main', busy(0.97))
  poll('main', busy(0.5))
  poll('main', busy(0.97))
  poll('main', busy(0.97))
  expect(open()).toEqual([CPU])
})

test.each([
  ['differs by two', 0.87, 0],
  ['comes later', 0.85, 5 * minuteMs],
])('a figure that %s is another alert', (_what, cpu, pauseMs) => {
  const { tell, poll, pass } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  poll('main', busy(0.5))
  pass(pauseMs)
  tell('main', busy(cpu))
  const [raised] = poll('main', busy(cpu))
  expect(raised).toMatchObject({ what: 'raised', stored: { episode: 'episode-2' } })
  expect(raised!.stored).not.toHaveProperty('repeats')
})

test('a blinking condition continues the same alert: same history row, same start, same acknowledgement', () => {
  const { tell, poll, acknowledge, alert, said } = anEngine()
  tell('main', off)
  expect(events(poll('main'))).toEqual([`raised ${OFF}`])
  acknowledge(OFF)
  expect(events(poll('main', on))).toEqual([`resolved ${OFF}`])
  poll('main', off)
  expect(events(poll('main'))).toEqual([`reopened ${OFF}`])
  expect(alert(OFF)).toMatchObject({
    acknowledged: true,
    ackUser: 'ann',
    startTime: '2026-01-01T12:00:00.000Z',
  })
  expect(new Set(said.map(({ stored }) => stored.episode))).toEqual(new Set(['episode-1']))
})

test('an acknowledgement is remembered for an hour after the alert ended', () => {
  for (const [pauseMs, isAcknowledged] of [
    [50 * minuteMs, true],
    [70 * minuteMs, false],
  ] as const) {
    const { tell, poll, pass, acknowledge, alert } = anEngine()
    tell('main', off)
    poll('main')
    acknowledge(OFF)
    poll('main', on)
    pass(pauseMs)
    tell('main', off)
    poll('main')
    expect(alert(OFF)!.acknowledged).toBe(isAcknowledged)
  }
})

test('an acknowledgement stays while the condition lasts, and can be removed', () => {
  const { tell, poll, pass, acknowledge, alert, engine, moment } = anEngine()
  tell('main', off)
  poll('main')
  expect(events(acknowledge(OFF))).toEqual([`acknowledged ${OFF}`])
  expect(acknowledge(OFF, 'bob')).toEqual([])
  pass(48 * hourMs)
  tell('main', off)
  expect(alert(OFF)).toMatchObject({ acknowledged: true, ackUser: 'ann' })
  engine.unacknowledge([OFF], moment())
  expect(alert(OFF)!.acknowledged).toBe(false)
  expect(alert(OFF)).not.toHaveProperty('ackUser')
})

test.each([
  ['its figure is back', { guests: [aGuest({ cpu: 0.1 })] }, { endReason: 'condition' }],
  ['its guest is removed', { guests: [] }, { endReason: 'gone', endNote: 'It is no longer there.' }],
  [
    'its guest is switched off',
    { guests: [aGuest({ status: 'stopped' })] },
    { endReason: 'unwatched', endNote: 'It does not run.' },
  ],
])('an alert says why it ended: %s', (_what, lists, end) => {
  const { tell, poll } = anEngine()
  tell('main', busy(0.85))
  poll('main', busy(0.85))
  const [change] = poll('main', lists)
  expect(change!.stored.alert).toMatchObject(end)
  if (end.endReason === 'condition') expect(change!.stored.alert).not.toHaveProperty('endNote')
})

test('the alert of a migrated guest stays the same, with the new node', () => {
  const { tell, poll, alert, acknowledge, said } = anEngine()
  tell('main', busy(0.9))
  poll('main', busy(0.9))
  acknowledge(CPU)
  const moved = { guests: [aGuest({ cpu: 0.91, node: 'pve2', id: 'main-pve2-100' })] }
  expect(poll('main', moved).map(({ what }) => what)).toEqual(['refreshed'])
  expect(alert(CPU)).toMatchObject({ resourceId: 'main-pve2-100', node: 'pve2', acknowledged: true })
  expect(new Set(said.map(({ stored }) => stored.episode)).size).toBe(1)
})

test('a removed record has no alerts', () => {
  const { tell, poll, open, forget, pass, engine } = anEngine()
  tell('main', { ...busy(0.9), nodes: [aNode({ cpu: 0.9 })] })
  poll('main', { ...busy(0.91), nodes: [aNode({ cpu: 0.91 })] })
  expect(open()).toEqual([CPU, 'main:pve1-cpu'])
  poll('main', { guests: [] })
  expect(open()).toEqual(['main:pve1-cpu'])
  forget('main')
  expect(open()).toEqual([])
  pass(2 * hourMs)
  expect(engine.size).toEqual({ tracked: 0, due: 0, remembered: 0, kept: 0 })
})

test('[spec 3 §3] five changes within ten minutes mark an alert as flapping, until it has been calm for long enough', () => {
  const { tell, poll, pass, alert, engine } = anEngine(settings({ minimumDelta: 0.1 }))
  tell('main', on)
  for (let round = 0; round < 3; round++) {
    poll('main', off)
    poll('main')
    if (round < 2) poll('main', on)
  }
  expect(alert(OFF)!.metadata).toMatchObject({ flapping: true })
  expect(engine.snapshot({ now: 0, monotonic: 0 }).alerts[0]!.flappingUntil).toBeDefined()
  pass(29 * minuteMs)
  expect(alert(OFF)!.metadata).toMatchObject({ flapping: true })
  pass(2 * minuteMs)
  expect(alert(OFF)!.metadata).not.toHaveProperty('flapping')
})

test('a condition that recurs after more than five minutes is a new alert', () => {
  const { tell, poll, pass } = anEngine()
  tell('main', off)
  poll('main')
  poll('main', on)
  pass(6 * minuteMs)
  tell('main', off)
  expect(events(poll('main'))).toEqual([`raised ${OFF}`])
})
