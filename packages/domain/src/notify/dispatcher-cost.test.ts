import { expect, describe, test } from 'vitest'
import { decisionsPerStep } from './dispatcher.ts'
import { email, given, hook, minuteMs, settings } from './given.ts'

type Given = ReturnType<typeof given>

describe('[R4] what one way out does costs the others nothing', () => {
  const hooks = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...hook, id: `webhook:${n}`, name: `Hook ${n}` }))
  /** How often something is decided while this runs, with so many ways out. */
  function decisions(ways: number, run: (now: Given) => void) {
    let count = 0
    const config = {
      ...settings({ grouping: { enabled: true, window: 30 }, maxAlertsHour: 3 }),
      get enabled() {
        count += 1
        return true
      },
    }
    const now = given(config, hooks(ways))
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
    const forgive = (now: Given) => now.dispatcher.forgive('webhook:0', now.moment())
    expect(decisions(20, forgive)).toBe(decisions(1, forgive))
  })
})

describe('new settings, with 1,000 alerts and 20 channels', () => {
  const channels = Array.from({ length: 20 }, (_, n) => ({ ...hook, id: `webhook:${n}`, name: `Hook ${n}` }))
  const alerts = Array.from({ length: 1_000 }, (_, n) => ({ id: `alert-${n}` }))
  const grouped = { grouping: { enabled: true, window: 30 } }

  test('are applied in steps, each decision once', () => {
    let count = 0
    const now = given(settings(grouped), channels)
    now.raiseAll(alerts)
    const next = {
      ...settings(grouped),
      get enabled() {
        count += 1
        return true
      },
    }
    const { dispatcher } = now
    dispatcher.configure(next)
    expect(count).toBe(0)
    const steps: number[] = []
    while (dispatcher.isBusy) {
      dispatcher.step(now.moment())
      steps.push(count)
      count = 0
    }
    expect(Math.max(...steps)).toBeLessThanOrEqual(decisionsPerStep)
    expect(steps.reduce((sum, one) => sum + one, 0)).toBe(alerts.length * channels.length)
  })

  test('nothing leaves by the old ones meanwhile', () => {
    const now = given(settings({ grouping: { enabled: true, window: 1 } }), [email])
    now.raiseAll(alerts)
    const { dispatcher } = now
    const later = { now: now.moment().now + minuteMs, monotonic: now.moment().monotonic + minuteMs }
    dispatcher.configure(settings({}, { activationState: 'snoozed' }))
    expect(dispatcher.take(email.id, later)).toEqual([])
    while (dispatcher.isBusy) dispatcher.step(later)
    expect(dispatcher.take(email.id, later)).toEqual([])
    expect(dispatcher.waiting(email.id)).toBe(0)
  })
})
