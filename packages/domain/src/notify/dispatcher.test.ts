import { describe, expect, test } from 'vitest'
import {
  apprise,
  dayMs,
  email,
  dispatcherFixture,
  hook,
  hourMs,
  minuteMs,
  secondMs,
  settings,
} from './fixtures.ts'
import { queueLimit } from './ready-queue.ts'

type Given = ReturnType<typeof dispatcherFixture>
const kinds = ({ received }: Given) => received.map(({ channelId, kind }) => `${channelId} ${kind}`)
const reasons = ({ dispatcher, moment }: Given, id = 'guest-100-cpu') =>
  dispatcher.explain(id, moment()).map(({ text }) => text)
const escalation = (...levels: { after: number; notify: 'email' | 'webhook' | 'all' }[]) => ({
  enabled: true,
  levels,
})

describe('the gates', () => {
  test('nothing leaves before alerts are active, and all that is open then does', () => {
    const now = dispatcherFixture(settings({}, { activationState: 'pending_review' }))
    now.raise()
    expect(kinds(now)).toEqual([])
    expect(reasons(now)).toEqual(['Alerts are not activated.'])
    now.configure(settings())
    expect(kinds(now)).toEqual(['email raised'])
  })

  test('[facts/alerts 12.20] an acknowledged alert is not sent, and its end goes to every channel that got it', () => {
    const now = dispatcherFixture(settings({ cooldown: 5 }))
    const episode = now.raise()
    now.change(episode, 'acknowledged', { acknowledged: true, ackUser: 'ada' })
    now.pass(hourMs)
    expect(kinds(now)).toEqual(['email raised'])
    expect(reasons(now)).toEqual(['It was acknowledged by ada.'])
    now.resolve(episode)
    expect(kinds(now)).toEqual(['email raised', 'email resolved'])
  })

  test('[facts/alerts 6] quiet hours delay warnings and the selected critical alerts until they end', () => {
    const quietHours = { enabled: true, start: '11:00', end: '13:00', timezone: 'UTC' }
    const suppress = { performance: true, storage: false, offline: false }
    const now = dispatcherFixture(settings({ quietHours: { ...quietHours, suppress } }))
    now.raise({ id: 'a' })
    now.raise({ id: 'b', level: 'critical' })
    now.raise({ id: 'c', type: 'usage', level: 'critical' })
    const over = now.raise({ id: 'd', type: 'powered-off' })
    expect(now.received.map(({ items }) => items[0]!.alert.id)).toEqual(['c'])
    expect(reasons(now, 'a')).toEqual(['Quiet hours: warnings are paused until 13:00 (UTC).'])
    now.resolve(over)
    now.pass(hourMs)
    expect(now.received.map(({ items }) => items[0]!.alert.id)).toEqual(['c', 'a', 'b'])
  })

  test('[facts/alerts 12.29] a resolved message does not wait for quiet hours, and can be disabled', () => {
    const quietHours = { enabled: true, start: '12:30', end: '13:00', timezone: 'UTC' }
    const now = dispatcherFixture(settings({ quietHours }))
    const episode = now.raise()
    now.pass(40 * minuteMs)
    now.resolve(episode)
    expect(kinds(now)).toEqual(['email raised', 'email resolved'])
    now.configure(settings({ notifyOnResolve: false }))
    now.resolve(now.raise({ id: 'other' }))
    expect(kinds(now).at(-1)).toBe('email raised')
  })

  test('a flapping alert waits until it is stable', () => {
    const now = dispatcherFixture()
    const episode = now.raise({}, { isApplied: false })
    now.change(episode, 'raised', {}, now.moment().now + 10 * minuteMs)
    expect(kinds(now)).toEqual([])
    expect(reasons(now)[0]).toMatch(/^It fired 5 times within 10 minutes/)
    // setting the clock back does not extend it
    now.setWall(-3 * dayMs)
    now.pass(10 * minuteMs)
    expect(kinds(now)).toEqual(['email raised'])
  })

  test('[facts/alerts 5.5] a lasting alert is sent again after the cooldown if it has a figure', () => {
    const now = dispatcherFixture(settings({ cooldown: 30 }))
    now.raise()
    now.raise({ id: 'off', type: 'powered-off' })
    now.raise({ id: 'sick', type: 'docker-container-health', threshold: 0, value: 0 })
    now.raise({ id: 'killed', type: 'docker-container-oom-kill', threshold: 0, value: 0 })
    now.pass(65 * minuteMs)
    expect(kinds(now)).toEqual([...Array(4).fill('email raised'), 'email repeated', 'email repeated'])
    expect(now.received.at(-1)!.at).toBe(60 * minuteMs)
  })

  test('[facts/alerts 3.2.4] a reminder is sent only while the figure is at or above its threshold, with the present figure', () => {
    const now = dispatcherFixture(settings({ cooldown: 30 }))
    const episode = now.raise({ value: 82, message: 'CPU is at 82%' })
    now.pass(10 * minuteMs)
    now.change(episode, 'refreshed', { value: 77, message: 'CPU is at 77%' })
    now.pass(2 * hourMs)
    expect(kinds(now)).toEqual(['email raised'])
    now.change(episode, 'refreshed', { value: 85, message: 'CPU is at 85%' })
    now.pass(minuteMs)
    expect(kinds(now)).toEqual(['email raised', 'email repeated'])
    expect(now.received.at(-1)!.items[0]!.alert.message).toBe('CPU is at 85%')
  })

  test('an alert that becomes critical is sent at once', () => {
    const now = dispatcherFixture(settings({ cooldown: 30 }))
    const episode = now.raise()
    now.pass(minuteMs)
    now.change(episode, 'leveled', { level: 'critical' })
    expect(now.received.map(({ at, kind }) => [at, kind])).toEqual([
      [0, 'raised'],
      [minuteMs, 'raised'],
    ])
  })

  test('[R5] the hourly cap counts every message, and reserves one for the resolved message', () => {
    const now = dispatcherFixture(settings({ cooldown: 5, maxAlertsHour: 3 }))
    const episode = now.raise()
    now.pass(50 * minuteMs)
    expect(kinds(now)).toEqual(['email raised', 'email repeated'])
    now.resolve(episode)
    expect(kinds(now)).toEqual(['email raised', 'email repeated', 'email resolved'])
    now.raise()
    now.pass(14 * minuteMs)
    expect(now.received).toHaveLength(3)
    now.pass(2 * minuteMs)
    expect(kinds(now)).toHaveLength(4)
  })

  test('[R5] escalations have their own hourly cap, and are sent on time, also after a restart', () => {
    const levels = [15, 30, 45, 50].map((after) => ({ after, notify: 'all' as const }))
    const now = dispatcherFixture(
      settings({ cooldown: 5, maxAlertsHour: 3, escalation: escalation(...levels) }),
    )
    now.raise()
    for (let n = 0; n < 11; n++) {
      now.pass(5 * minuteMs)
      now.kill()
    }
    const escalated = now.received.filter(({ kind }) => kind === 'escalated').map(({ at }) => at / minuteMs)
    expect(escalated).toEqual([15, 30, 45])
  })

  test('[R5] the hourly cap survives a restart', () => {
    const now = dispatcherFixture(settings({ cooldown: 5, maxAlertsHour: 2 }))
    now.raise()
    for (let n = 0; n < 11; n++) {
      now.kill()
      now.pass(5 * minuteMs)
    }
    expect(now.received).toHaveLength(1)
  })

  test('[R5] an alert open for 60 days without repetition is one message', () => {
    const now = dispatcherFixture(settings({ cooldown: 0, maxAlertsHour: 3 }))
    now.raise()
    for (let day = 0; day < 60; day++) {
      now.pass(dayMs)
      if (day % 7 === 0) now.kill()
    }
    expect(kinds(now)).toEqual(['email raised'])
  })
})

describe('escalation', () => {
  test('goes to exactly the selected channels, whatever the cooldown', () => {
    const levels = escalation({ after: 15, notify: 'email' }, { after: 30, notify: 'webhook' })
    const now = dispatcherFixture(settings({ cooldown: 120, escalation: levels }), [email, hook, apprise])
    now.raise()
    now.received.length = 0
    now.pass(16 * minuteMs)
    expect(kinds(now)).toEqual(['email escalated'])
    now.pass(15 * minuteMs)
    expect(kinds(now)).toEqual(['email escalated', 'webhook:1 escalated'])
  })

  test('to all includes Apprise; missed levels are one message', () => {
    const now = dispatcherFixture(settings(), [email, apprise])
    now.raise()
    now.received.length = 0
    now.pass(50 * minuteMs)
    now.configure(
      settings({ escalation: escalation({ after: 15, notify: 'all' }, { after: 45, notify: 'email' }) }),
    )
    expect(kinds(now)).toEqual(['email escalated', 'apprise escalated'])
    now.pass(hourMs)
    expect(now.received).toHaveLength(2)
  })

  test('obeys activation, acknowledgement and quiet hours', () => {
    const quietHours = { enabled: true, start: '12:10', end: '12:40', timezone: 'UTC' }
    const now = dispatcherFixture(
      settings({ quietHours, escalation: escalation({ after: 15, notify: 'all' }) }),
    )
    const acknowledged = now.raise({ id: 'known' })
    now.raise()
    now.change(acknowledged, 'acknowledged', { acknowledged: true })
    now.received.length = 0
    now.pass(39 * minuteMs)
    expect(kinds(now)).toEqual([])
    now.pass(minuteMs)
    expect(kinds(now)).toEqual(['email escalated'])
  })
})

describe('what was not sent', () => {
  test('[facts/alerts 12.24] the cooldown begins with a delivery', () => {
    const now = dispatcherFixture(settings({ cooldown: 30 }))
    now.fates(() => 'fails')
    now.raise()
    now.pass(20 * minuteMs)
    now.fates(() => 'arrives')
    now.pass(29 * minuteMs)
    expect(now.received.map(({ at }) => at)).toEqual([20 * minuteMs])
    now.pass(minuteMs)
    expect(now.received.map(({ at }) => at)).toEqual([20 * minuteMs, 50 * minuteMs])
  })

  test('[facts/alerts 12.26] an alert that ends before it is sent leaves its group, and has no resolved message', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 60, byNode: false } }))
    now.fates(() => 'fails')
    const over = now.raise({ id: 'a' })
    now.raise({ id: 'b' })
    now.pass(2 * minuteMs)
    now.resolve(over)
    now.fates(() => 'arrives')
    now.pass(10 * minuteMs)
    expect(now.received.map(({ kind, items }) => [kind, items.map(({ alert }) => alert.id)])).toEqual([
      ['raised', ['b']],
    ])
  })

  test('a message that was given up is sent again only after its channel changed', () => {
    const now = dispatcherFixture()
    now.fates(() => 'never')
    now.raise()
    now.pass(dayMs)
    now.fates(() => 'arrives')
    now.pass(hourMs)
    expect(now.received).toEqual([])
    now.dispatcher.forgive('email')
    now.work()
    expect(kinds(now)).toEqual(['email raised'])
  })

  test('an alert that ends during a retry leaves no entry', () => {
    const now = dispatcherFixture()
    now.fates(() => 'never')
    const episode = now.raise()
    now.fates(() => 'fails')
    now.change(episode, 'leveled', { level: 'critical' })
    expect([...now.ledger.values()]).toHaveLength(1)
    now.resolve(episode)
    expect([...now.ledger.values()]).toEqual([])
  })

  test('a new or enabled channel gets the open alerts', () => {
    const now = dispatcherFixture(settings(), [{ ...email, enabled: false }])
    const episode = now.raise()
    now.setChannels([email, hook])
    expect(kinds(now)).toEqual(['email raised', 'webhook:1 raised'])
    now.setChannels([email])
    now.resolve(episode)
    expect(kinds(now).slice(2)).toEqual(['email resolved'])
    expect(now.ledger.size).toBe(0)
  })

  test('[R1] stored alerts without a message are sent after a restart, as are resolved messages', () => {
    const now = dispatcherFixture()
    const over = now.raise({ id: 'a' })
    now.raise({ id: 'b' }, { isApplied: false })
    now.resolve(over, { isApplied: false })
    now.kill()
    expect(kinds(now)).toEqual(['email raised', 'email resolved', 'email raised'])
  })

  test('a resolved message that could not be sent for a day is dropped', () => {
    const now = dispatcherFixture()
    const episode = now.raise()
    now.configure(settings({}, { activationState: 'snoozed' }))
    now.resolve(episode)
    now.pass(25 * hourMs)
    now.configure(settings())
    expect(kinds(now)).toEqual(['email raised'])
    expect(now.ledger.size).toBe(0)
  })

  test('alerts beyond the queue of one channel are counted and sent later', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 60, byNode: false } }))
    const count = queueLimit + 5
    now.raiseAll(Array.from({ length: count }, (_, n) => ({ id: `a${n}` })))
    expect(now.dispatcher.overflowed).toBe(5)
    now.pass(2 * minuteMs)
    expect(now.received.map(({ items }) => items.length)).toEqual([queueLimit, 5])
  })

  test('an alert beyond the queue is counted once, however often it is decided', () => {
    const config = settings({ grouping: { enabled: true, window: 60, byNode: false } })
    const now = dispatcherFixture(config)
    now.raiseAll(Array.from({ length: queueLimit + 5 }, (_, n) => ({ id: `a${n}` })))
    for (let n = 0; n < 3; n++) now.configure(config)
    expect(now.dispatcher.overflowed).toBe(5)
  })

  test('an alert beyond the queue is sent when all queued ones ended before they were sent', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 60, byNode: false } }))
    const raised = now.raiseAll(Array.from({ length: queueLimit + 5 }, (_, n) => ({ id: `a${n}` })))
    for (const one of raised.slice(0, queueLimit)) now.resolve(one)
    now.pass(2 * minuteMs)
    expect(now.received.map(({ items }) => items.length)).toEqual([5])
  })
})

describe('one alert again and again', () => {
  test('the resolved message of the previous episode goes before the next message', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 60, byNode: false } }))
    const first = now.raise()
    now.pass(minuteMs)
    now.resolve(first)
    now.pass(secondMs)
    now.raise()
    now.pass(2 * minuteMs)
    expect(kinds(now)).toEqual(['email raised', 'email resolved', 'email raised'])
  })

  test('an alert that fires again before its resolved message was sent needs none', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 60, byNode: false } }))
    const episode = now.raise()
    now.pass(minuteMs)
    now.reopen(now.resolve(episode))
    now.pass(hourMs)
    expect(kinds(now)).toEqual(['email raised'])
  })

  test('a resolved message that failed is not retried once resolved messages are switched off', () => {
    const now = dispatcherFixture()
    const episode = now.raise()
    now.fates(() => 'fails')
    now.resolve(episode)
    now.configure(settings({ notifyOnResolve: false }))
    now.fates(() => 'arrives')
    expect(kinds(now)).toEqual(['email raised'])
    expect(now.ledger.size).toBe(0)
  })

  test('[R6] saving the settings again and again sends nothing twice and drops nothing', () => {
    const now = dispatcherFixture(grouped60())
    const episodes = now.raiseAll(Array.from({ length: 50 }, (_, n) => ({ id: `a${n}` })))
    for (let n = 0; n < 200; n++) {
      now.configure({ ...grouped60() })
      now.pass(secondMs)
    }
    expect(now.received.map(({ items }) => items.length)).toEqual([50])
    for (const episode of episodes) now.resolve(episode)
    for (let n = 0; n < 100; n++) {
      now.configure({ ...grouped60() })
      now.pass(secondMs)
    }
    expect(now.received.map(({ items }) => items.length)).toEqual([50, 50])
  })
})

const grouped60 = () => settings({ grouping: { enabled: true, window: 60, byNode: false } })
