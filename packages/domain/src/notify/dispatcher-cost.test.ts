import type { AlertConfig } from '@pulse/contract'
import { expect, describe, test } from 'vitest'
import { decisionsPerStep } from './decision-pass.ts'
import { email, dispatcherFixture, hook, minuteMs, settings } from './fixtures.ts'

type Given = ReturnType<typeof dispatcherFixture>

describe('[R4] one channel costs the others nothing', () => {
  const hooks = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...hook, id: `webhook:${n}`, name: `Hook ${n}` }))
  /** Number of decisions during a run with that many channels. */
  function decisions(ways: number, run: (now: Given) => void) {
    let count = 0
    const config = {
      ...settings({ grouping: { enabled: true, window: 30 }, maxAlertsHour: 3 }),
      get enabled() {
        count += 1
        return true
      },
    }
    const now = dispatcherFixture(config, hooks(ways))
    now.raiseAll(Array.from({ length: 50 }, (_, n) => ({ id: `alert-${n}` })))
    now.dispatcher.due(now.moment())
    count = 0
    run(now)
    return count
  }
  const later = ({ moment }: Given) => {
    const { now, monotonic } = moment()
    return { now: now + minuteMs, monotonic: monotonic + minuteMs }
  }

  test('as its message was delivered', () => {
    const deliver = (now: Given) => {
      const [message] = now.dispatcher.take('webhook:0', later(now))
      expect(message?.items).toHaveLength(50)
      now.dispatcher.finish(message!, 'delivered', later(now))
    }
    expect(decisions(20, deliver)).toBe(decisions(1, deliver))
  })

  test('as its settings were changed', () => {
    const forgive = ({ dispatcher, moment }: Given) => {
      dispatcher.forgive('webhook:0')
      while (dispatcher.isBusy) dispatcher.step(moment())
    }
    expect(decisions(20, forgive)).toBe(decisions(1, forgive))
  })
})

describe('with 1,000 alerts and 20 channels', () => {
  const channels = Array.from({ length: 20 }, (_, n) => ({ ...hook, id: `webhook:${n}`, name: `Hook ${n}` }))
  const alerts = Array.from({ length: 1_000 }, (_, n) => ({ id: `alert-${n}` }))
  const grouped = { grouping: { enabled: true, window: 30 } }
  const stepped = ({ moment }: Given) => ({ ...moment(), now: moment().now + minuteMs })

  const fall = ({ dispatcher, open, moment }: Given) => {
    const at = moment().now
    const stored = [...open.values()].map((one) => ({ ...one, noReminder: true as const }))
    dispatcher.apply(
      stored.map((one) => ({ what: 'refreshed', stored: one, at })),
      moment(),
    )
  }

  /** Number of decisions per step, from the change to the last step. */
  function decisionsOf(what: (now: Given, counting: AlertConfig) => void) {
    let count = 0
    const counting = {
      ...settings(grouped),
      get enabled() {
        count += 1
        return true
      },
    }
    const now = dispatcherFixture(counting, channels)
    now.raiseAll(alerts)
    const turns: number[] = []
    const turn = (run: () => void) => {
      count = 0
      run()
      turns.push(count)
    }
    const { dispatcher } = now
    turn(() => what(now, counting))
    while (dispatcher.isBusy) turn(() => dispatcher.step(now.moment()))
    return { turns, inAll: turns.reduce((sum, one) => sum + one, 0) }
  }

  test.each<[string, (now: Given, counting: AlertConfig) => void]>([
    ['new settings', ({ dispatcher }, counting) => dispatcher.configure(counting)],
    ['a wall clock that is set', (now) => now.dispatcher.due(stepped(now))],
    ['channels that change', ({ dispatcher }) => void dispatcher.setChannels(channels)],
    ['figures that all fall below their triggers', fall],
  ])('%s: everything is decided about in steps, each decision once', (_, what) => {
    const { turns, inAll } = decisionsOf(what)
    expect(Math.max(...turns)).toBeLessThanOrEqual(decisionsPerStep)
    expect(inAll).toBe(alerts.length * channels.length)
  })

  test('a wall clock that changes while channels change: the pass starts again', () => {
    const { turns, inAll } = decisionsOf((now) => {
      now.dispatcher.setChannels(channels)
      now.dispatcher.step(now.moment())
      now.dispatcher.due(stepped(now))
    })
    expect(Math.max(...turns)).toBeLessThanOrEqual(decisionsPerStep)
    expect(inAll).toBe(alerts.length * channels.length + decisionsPerStep)
  })

  test('nothing leaves by the old settings meanwhile', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 1 } }), [email])
    now.raiseAll(alerts)
    const { dispatcher } = now
    const later = { now: now.moment().now + minuteMs, monotonic: now.moment().monotonic + minuteMs }
    dispatcher.configure(settings({}, { activationState: 'snoozed' }))
    expect(dispatcher.take(email.id, later)).toEqual([])
    while (dispatcher.isBusy) dispatcher.step(later)
    expect(dispatcher.take(email.id, later)).toEqual([])
    expect(dispatcher.waiting(email.id)).toBe(0)
  })

  test('nothing leaves meanwhile that quiet hours by the new wall clock hold back', () => {
    const quietHours = { enabled: true, start: '20:00', end: '22:00', timezone: 'UTC' }
    const now = dispatcherFixture(settings({ quietHours, grouping: { enabled: true, window: 1 } }), [email])
    now.raiseAll(alerts)
    const { dispatcher } = now
    const inTheEvening = {
      now: now.moment().now + 9 * 60 * minuteMs,
      monotonic: now.moment().monotonic + minuteMs,
    }
    dispatcher.due(inTheEvening)
    expect(dispatcher.take(email.id, inTheEvening)).toEqual([])
    while (dispatcher.isBusy) dispatcher.step(inTheEvening)
    expect(dispatcher.take(email.id, inTheEvening)).toEqual([])
    expect(dispatcher.waiting(email.id)).toBe(0)
  })

  test('retries of one channel do not delay the others', () => {
    const now = dispatcherFixture(settings({ grouping: { enabled: true, window: 1 } }), [email, hook])
    now.raiseAll(alerts)
    const { dispatcher } = now
    const later = { now: now.moment().now + minuteMs, monotonic: now.moment().monotonic + minuteMs }
    dispatcher.forgive(hook.id)
    expect(dispatcher.take(hook.id, later)).toEqual([])
    expect(dispatcher.take(email.id, later)).toHaveLength(1)
    while (dispatcher.isBusy) dispatcher.step(later)
    expect(dispatcher.take(hook.id, later)).toHaveLength(1)
  })
})
