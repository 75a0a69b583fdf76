import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { events, anEngine, hourMs, minuteMs, pollMs, settings, T0 } from './fixtures.ts'

const busy = (cpu: number) => ({ guests: [aGuest({ cpu })] })
const CPU = 'main:100-cpu'

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

const off = { guests: [aGuest({ status: 'stopped' })] }
const on = { guests: [aGuest()] }
const OFF = 'guest-powered-off-main:100'

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

test('a condition that recurs after more than five minutes is a new alert', () => {
  const { tell, poll, pass } = anEngine()
  tell('main', off)
  poll('main')
  poll('main', on)
  pass(6 * minuteMs)
  tell('main', off)
  expect(events(poll('main'))).toEqual([`raised ${OFF}`])
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
