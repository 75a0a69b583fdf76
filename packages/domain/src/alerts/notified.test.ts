import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { anEngine, minuteMs, settings, T0 } from './fixtures.ts'
import type { SentNotice } from './notified.ts'

const CPU = 'main:100-cpu'
const busy = { guests: [aGuest({ cpu: 0.85 })] }
const levels = [
  { after: 15, notify: 'email' },
  { after: 30, notify: 'webhook' },
] as const
const { schedule } = settings()
const iso = (minutes: number) => new Date(T0 + minutes * minuteMs).toISOString()

function firing() {
  const all = anEngine(
    settings({ schedule: { ...schedule, cooldown: 30, escalation: { enabled: true, levels: [...levels] } } }),
  )
  all.tell('main', busy)
  all.poll('main', busy)
  const sent = (minutes: number, change: Partial<SentNotice> = {}) => {
    const at = T0 + minutes * minuteMs
    all.pass(Math.max(0, at - all.moment().now))
    return all
      .sent({ alertId: CPU, episode: 'episode-1', at, escalatedAfter: 0, ...change })
      .map(({ what }) => what)
  }
  return { ...all, sent }
}

test('[facts/alerts 1.1] an alert has the time of its last notification; none before the first', () => {
  const { alert, sent } = firing()
  expect(alert(CPU)).not.toHaveProperty('lastNotified')
  expect(sent(1)).toEqual(['refreshed'])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(1) })
  expect(alert(CPU)).not.toHaveProperty('lastEscalation')
  expect(alert(CPU)).not.toHaveProperty('escalationTimes')
})

test('[facts/alerts 1.3] a reminder is reported once, however many channels send it', () => {
  const { alert, sent } = firing()
  sent(1)
  sent(2)
  expect([sent(31), sent(32), sent(61)]).toEqual([['reminded'], ['refreshed'], ['reminded']])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(61) })
})

test('after the clock was set back the next reminder is reported as usual, and older notices change nothing', () => {
  const { alert, sent, step } = firing()
  sent(180)
  step(-120 * minuteMs)
  expect(sent(61)).toEqual(['refreshed'])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(61) })
  expect(sent(91)).toEqual(['reminded'])
  // a restart reports the earlier notices again
  expect(sent(70)).toEqual([])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(91) })
})

test('[facts/alerts 1.1] an escalation is reported with its level, and each level has its time', () => {
  const { alert, sent } = firing()
  sent(1)
  expect(sent(16, { escalatedAfter: 15 })).toEqual(['escalated'])
  expect(alert(CPU)).toMatchObject({ lastEscalation: 1, escalationTimes: [iso(16)] })
  expect(sent(16, { escalatedAfter: 15 })).toEqual([])
  expect(sent(33, { escalatedAfter: 30 })).toEqual(['escalated'])
  expect(alert(CPU)).toMatchObject({ lastEscalation: 2, escalationTimes: [iso(16), iso(33)] })
})

test('escalation levels that passed together, for instance while Pulse was down, have the same time', () => {
  const { alert, sent } = firing()
  expect(sent(40, { escalatedAfter: 30 })).toEqual(['escalated'])
  expect(alert(CPU)).toMatchObject({ lastEscalation: 2, escalationTimes: [iso(40), iso(40)] })
})

test('notification times survive changing figures, a restart, and a recurrence within minutes', () => {
  const { tell, poll, restart, sent, ...all } = firing()
  sent(16, { escalatedAfter: 15 })
  const kept = { lastNotified: iso(16), lastEscalation: 1, escalationTimes: [iso(16)] }
  poll('main', { guests: [aGuest({ cpu: 0.88 })] })
  expect(all.alert(CPU)).toMatchObject({ value: 88, ...kept })
  restart().look()
  expect(all.alert(CPU)).toMatchObject(kept)
  tell('main', { guests: [aGuest({ cpu: 0.5 })] })
  poll('main', { guests: [aGuest({ cpu: 0.88 })] })
  poll('main', { guests: [aGuest({ cpu: 0.88 })] })
  expect(all.alert(CPU)).toMatchObject(kept)
})

test('many channels within a minute change an alert once', () => {
  const { alert, sent } = firing()
  expect([sent(1), sent(1.2), sent(1.9)]).toEqual([['refreshed'], [], []])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(1) })
})

test('a notification about an ended or older episode changes nothing', () => {
  const { alert, sent } = firing()
  sent(5)
  expect([sent(6, { episode: 'another' }), sent(4), sent(6, { alertId: 'none' })]).toEqual([[], [], []])
  expect(alert(CPU)).toMatchObject({ lastNotified: iso(5) })
})
