import { type Alert, type Webhook, webhookDefaults, webhookServices } from '@pulse/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChannelInfo, Dispatch } from './dispatch.ts'
import { email, dispatcherFixture, hook, hourMs, minuteMs, settings } from './fixtures.ts'
import { mailRows, mailText } from './mail.ts'
import { queueLimit, sourceLimit } from './ready-queue.ts'
import { webhookCapacity, webhookRequests } from './services/requests.ts'

const RUNS = Math.round(60 * Number(process.env['PULSE_TEST_SCALE'] ?? 1))

/** A container that was killed. One agent may report a hundred of them. */
const killed = (name: string, level: Alert['level'] = 'critical'): Partial<Alert> => ({
  id: `docker-${name}-oom`,
  type: 'docker-container-oom-kill',
  level,
  resourceId: name,
  resourceName: name,
  node: 'edge',
  instance: 'Docker:edge',
  message: `Container ${name} was killed: out of memory`,
  value: 0,
  threshold: 0,
  metadata: {},
})
const database: Partial<Alert> = {
  ...killed('orders-db'),
  id: 'guest-700-cpu',
  type: 'cpu',
  node: 'pve1',
  instance: 'main',
  message: 'CPU of orders-db is at 99%',
  value: 99,
  threshold: 80,
}
const flood = (count: number, prefix = 'job') =>
  Array.from({ length: count }, (_, n) => killed(`${prefix}-${n}.`))

const webhookOf = (service: Webhook['service']): Webhook => ({
  ...webhookDefaults,
  id: service,
  name: service,
  service,
  url:
    service === 'telegram' ? 'https://api.telegram.org/bot1:x/sendMessage?chat_id=1' : 'https://hook.lan/x',
  customFields: { routing_key: 'k', app_token: 'a', user_token: 'u' },
})

/** The sent text of a message, and the number of alerts that it names. */
function textOf({ channelId, kind, items, sources }: Dispatch): { text: string; names: number } {
  const notice = {
    eventId: 'e',
    kind,
    at: '2026-01-01T12:00:00Z',
    alerts: items.map(({ alert }) => ({
      alert,
      ...(kind === 'resolved' && { resolvedAt: alert.startTime }),
    })),
    left: sources.map(({ name, isCritical, left }) => ({ name, isCritical, count: left })),
  }
  if (channelId === 'email') return { text: mailText(notice).text, names: Math.min(mailRows, items.length) }
  const requests = webhookRequests(webhookOf(channelId as Webhook['service']), notice)
  return {
    text: requests.map(({ body }) => body).join('\n'),
    names: requests.reduce((sum, { names }) => sum + names, 0),
  }
}

const channels: ChannelInfo[] = [
  { ...email, capacity: { firing: mailRows, resolved: mailRows } },
  ...webhookServices.map((service) => ({
    ...hook,
    id: service,
    name: service,
    capacity: webhookCapacity(webhookOf(service)),
  })),
]

function world(...[config = settings()]: Parameters<typeof dispatcherFixture>) {
  const now = dispatcherFixture(config, channels)
  now.names((dispatch) => textOf(dispatch).names)
  return now
}
type World = ReturnType<typeof world>

/** Ids that a channel received, verified against the sent text. */
function namedTo({ received }: World, channel: string): string[] {
  return received
    .filter(({ channelId }) => channelId === channel)
    .flatMap((one) => {
      const { text } = textOf(one)
      const plain = text.replaceAll('\\\\', '').replaceAll('\\', '')
      for (const { alert } of one.items)
        expect(plain, `${channel} names ${alert.resourceName}`).toContain(alert.resourceName)
      return one.items.map(({ alert }) => alert.id)
    })
}
const isPending = ({ dispatcher, moment }: World, channel: string, id: string) =>
  dispatcher.pending(channel, moment()).some(({ alerts }) => alerts.some((alert) => alert.id === id))

const grouped = (schedule = {}) =>
  settings({ grouping: { enabled: true, window: 300, byNode: true }, maxAlertsHour: 3, ...schedule })

describe('a flood of one source', () => {
  test.each([true, false])('hides no critical alert of another: grouping %s', (enabled) => {
    const now = world(grouped({ grouping: { enabled, window: 300, byNode: false } }))
    now.raiseAll([...flood(110)], 'agent-1')
    now.raiseAll([database], 'main')
    now.pass(6 * minuteMs)
    for (const { id } of channels) expect(namedTo(now, id), id).toContain('guest-700-cpu')
  })

  test('an alert that no text named is pending, and follows', () => {
    const now = world(grouped())
    now.raiseAll(flood(110), 'agent-1')
    now.pass(5 * minuteMs)
    const slack = () => new Set(namedTo(now, 'slack'))
    expect(slack().size).toBeGreaterThan(10)
    const logged = [...now.ledger.values()].filter(({ channelId }) => channelId === 'slack')
    expect(logged.map(({ alert }) => alert.id).toSorted()).toEqual([...slack()].toSorted())
    expect(now.dispatcher.pending('slack', now.moment()).flatMap(({ alerts }) => alerts)).toHaveLength(
      110 - slack().size,
    )
    now.pass(24 * hourMs)
    expect(slack().size).toBe(110)
  })

  test('says how many it does not name, and where they are', () => {
    const now = world(grouped())
    now.raiseAll(flood(110), 'agent-1')
    now.pass(5 * minuteMs)
    const first = now.received.find(({ channelId }) => channelId === 'email')!
    expect(textOf(first).text).toContain('110 alerts (110 critical)')
    expect(textOf(first).text).toContain('… and 60 more on edge, listed in later messages.')
  })

  test('names the most severe first', () => {
    const now = world(grouped())
    const quiet = flood(100).map((one) => ({ ...one, level: 'warning' as const }))
    now.raiseAll([...quiet, killed('worst.')], 'agent-1')
    now.pass(5 * minuteMs)
    for (const { id } of channels) expect(namedTo(now, id)[0], id).toBe('docker-worst.-oom')
  })

  test('names every source once before any of them twice', () => {
    const now = world(grouped())
    for (let n = 0; n < 15; n++) now.raiseAll(flood(30, `s${n}`), `agent-${n}`)
    now.pass(5 * minuteMs)
    const sources = new Set(namedTo(now, 'discord').map((id) => /s\d+/.exec(id)![0]))
    expect(sources.size).toBe(15)
  })

  test('[R5] is limited to the hourly cap of one alert, even with changing names', () => {
    const now = world(grouped())
    for (let minute = 0; minute < 180; minute++) {
      now.raiseAll(flood(60, `m${minute}`), 'agent-1')
      now.pass(minuteMs)
    }
    for (const { id } of channels.filter(({ capacity }) => capacity.firing < 60)) {
      const times = now.received.filter(({ channelId }) => channelId === id).map(({ at }) => at)
      for (const at of times)
        expect(times.filter((other) => other > at - hourMs && other <= at).length, id).toBeLessThanOrEqual(3)
    }
  })

  test('[R5] a trickle of new names reaches the same limit, also over restarts, and does not delay another source', () => {
    const now = world(grouped({ grouping: { enabled: false } }))
    for (let minute = 0; minute < 240; minute++) {
      now.raiseAll(flood(3, `m${minute}`), 'agent-1')
      now.pass(minuteMs)
      if (minute % 50 === 0) now.kill()
    }
    const within = now.received.filter(({ channelId, at }) => channelId === 'slack' && at > now.at - hourMs)
    expect(within.length).toBeLessThanOrEqual(33)
    now.raiseAll([database], 'main')
    expect(namedTo(now, 'slack')).toContain('guest-700-cpu')
  })

  test('leaves room for others when it fills the queue, and critical alerts go before its warnings', () => {
    const now = world(grouped())
    const many = flood(queueLimit + 500).map((one) => ({ ...one, level: 'warning' as const }))
    now.raiseAll(many, 'agent-1')
    now.raiseAll([database], 'main')
    now.raiseAll(flood(sourceLimit, 'own'), 'agent-1')
    now.pass(5 * minuteMs)
    expect(namedTo(now, 'slack')).toContain('guest-700-cpu')
    expect(namedTo(now, 'slack').filter((id) => id.startsWith('docker-own')).length).toBeGreaterThan(5)
  })

  test('that has ended is named as far as it was sent, and delays no resolved message', () => {
    const now = world(grouped({ maxAlertsHour: 0 }))
    const episodes = now.raiseAll(flood(150), 'agent-1')
    now.pass(hourMs)
    for (const one of episodes) now.resolve(one)
    now.pass(3 * hourMs)
    expect([...now.ledger.keys()]).toEqual([])
    for (const { id } of channels) {
      const of = (isOver: boolean) =>
        now.received
          .filter(({ channelId, kind }) => channelId === id && (kind === 'resolved') === isOver)
          .flatMap(({ items }) => items.map(({ episode }) => episode))
      expect(of(true).toSorted(), id).toEqual(of(false).toSorted())
    }
  })
})

test(`${RUNS} random floods: every critical alert of another source is named to every channel, or pending`, () => {
  const source = fc.record({
    size: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
      fc.integer({ min: 20, max: 160 }),
    ),
    isCritical: fc.boolean(),
    atMinute: fc.integer({ min: 0, max: 12 }),
  })
  const schedule = fc.record({
    enabled: fc.boolean(),
    byNode: fc.boolean(),
    maxAlertsHour: fc.constantFrom(0, 1, 3),
  })
  fc.assert(
    fc.property(fc.array(source, { minLength: 1, maxLength: 18 }), schedule, (sources, chosen) => {
      const { enabled, byNode, maxAlertsHour } = chosen
      const now = world(settings({ maxAlertsHour, grouping: { enabled, byNode, window: 300 } }))
      const expected: string[] = []
      for (let minute = 0; minute <= 12; minute++) {
        for (const [n, { size, isCritical, atMinute }] of sources.entries()) {
          if (atMinute !== minute) continue
          const level = isCritical ? 'critical' : 'warning'
          now.raiseAll(
            flood(size, `s${n}-`).map((one) => ({ ...one, level })),
            `agent-${n}`,
          )
          if (isCritical) for (const { id } of flood(size, `s${n}-`)) expected.push(id!)
        }
        now.pass(minuteMs)
      }
      now.raiseAll([database], 'main')
      now.pass(10 * minuteMs)
      for (const { id } of channels) {
        const named = new Set(namedTo(now, id))
        expect(named.has('guest-700-cpu') || isPending(now, id, 'guest-700-cpu'), id).toBe(true)
        for (const one of expected)
          expect(named.has(one) || isPending(now, id, one), `${id} ${one}`).toBe(true)
      }
      now.pass(3 * hourMs)
      for (const { id } of channels) expect(namedTo(now, id), id).toContain('guest-700-cpu')
    }),
    { numRuns: RUNS },
  )
}, 120_000)
