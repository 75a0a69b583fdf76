import type { GatewayNode, MailGateway, MailHour, PmgBackup, QueueStatus } from '@pulse/contract'
import { aMailGateway } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { dayMs, anEngine, hourMs, minuteMs, settings, T0 } from '../fixtures.ts'
import { baseline } from './mail-anomaly.ts'

const pmg = { kind: 'pmg', name: 'pmg-mail' } as const
const queue = (change: Partial<QueueStatus> = {}): QueueStatus => ({
  total: 0,
  active: 0,
  deferred: 0,
  hold: 0,
  incoming: 0,
  updatedAt: '2026-01-01T12:00:00Z',
  ...change,
})
const node = (
  name: string,
  change: Partial<QueueStatus> = {},
  more: Partial<GatewayNode> = {},
): GatewayNode => ({
  name,
  role: 'node',
  status: 'online',
  loadAvg: '',
  queueStatus: queue(change),
  ...more,
})
const gateway = (...nodes: GatewayNode[]) => ({ pmg: [aMailGateway({ nodes })] })

const after = (lists: { pmg: MailGateway[] }, config = settings()) => {
  const all = anEngine(config)
  all.tell('mail', lists, pmg)
  return all
}
const levels = (lists: { pmg: MailGateway[] }, config = settings()) =>
  Object.fromEntries([...after(lists, config).engine.active()].map(([id, { level }]) => [id, level]))

test.each([
  ['queue-total', 'total', 500, 1000],
  ['queue-deferred', 'deferred', 200, 500],
  ['queue-hold', 'hold', 100, 300],
] as const)('[spec 3 §9] %s: %s has its two limits', (id, field, warn, critical) => {
  expect(levels(gateway(node('a', { [field]: warn - 1 })))).toEqual({})
  expect(levels(gateway(node('a', { [field]: warn })))).toEqual({ [`mail-${id}`]: 'warning' })
  expect(levels(gateway(node('a', { [field]: critical })))).toEqual({ [`mail-${id}`]: 'critical' })
})

test.each([
  ['a quarantine', {}],
  ['nothing else', { quarantine: undefined }],
])('[spec 3 §9] the oldest mail: 30 minutes, then 60, without new data; beside %s', (_, others) => {
  const { pmg: gateways } = gateway(node('a', { oldestAt: T0 }))
  const { pass, open, alert } = after({ pmg: gateways.map((one) => ({ ...one, ...others }) as MailGateway) })
  pass(30 * minuteMs - 1)
  expect(open()).toEqual([])
  pass(2)
  expect(alert('mail-oldest-message')).toMatchObject({ type: 'message-age', level: 'warning', value: 30 })
  pass(30 * minuteMs)
  expect(alert('mail-oldest-message')!.level).toBe('critical')
})

test('each node of a cluster is also judged, by its share of the limits', () => {
  expect(levels(gateway(node('a', { deferred: 119 }), node('b')))).toEqual({})
  const { alert, open } = after(gateway(node('a', { deferred: 120 }), node('b', { deferred: 1 })))
  expect(open()).toEqual(['mail-a-queue-deferred'])
  expect(alert('mail-a-queue-deferred')!.message).toContain('far above its cluster peers')
  expect(levels(gateway(node('a', { deferred: 400 }), node('b')))).toEqual({
    'mail-queue-deferred': 'warning',
    'mail-a-queue-deferred': 'critical',
  })
})

test('every queue is judged separately', () => {
  expect(levels(gateway(node('a', { total: 1, deferred: 500, hold: 100 })))).toEqual({
    'mail-queue-deferred': 'critical',
    'mail-queue-hold': 'warning',
  })
})

test('alerts of a node with unknown queues stay; those of a removed node end', () => {
  const { tell, open } = after(gateway(node('a', { hold: 250 }), node('b')))
  expect(open()).toEqual(['mail-a-queue-hold', 'mail-queue-hold'])
  tell('mail', gateway(node('a', { hold: 0 }, { staleSince: 1 }), node('b')), pmg)
  expect(open()).toEqual(['mail-a-queue-hold', 'mail-queue-hold'])
  tell('mail', gateway(node('b')), pmg)
  expect(open()).toEqual([])
})

test('[spec 3 §5] a limit of 0 is off', () => {
  const pmgDefaults = { ...settings().pmgDefaults, holdQueueWarn: 0, holdQueueCritical: 0 }
  expect(levels(gateway(node('a', { hold: 9999 })), settings({ pmgDefaults }))).toEqual({})
})

test('gateways of one cluster raise one alert', () => {
  const { tell, open } = anEngine()
  const cluster = { fingerprint: 'aa' }
  for (const name of ['mail', 'mail2'])
    tell(
      name,
      { pmg: [aMailGateway({ name, cluster, nodes: [node('a', { hold: 300 })] })] },
      { ...pmg, name },
    )
  expect(open()).toEqual(['mail-queue-hold'])
})

const quarantine = (spam: number, virus = 0) => ({
  pmg: [aMailGateway({ nodes: [], quarantine: { spam, virus, attachment: 0 } })],
})

test.each([
  ['spam', 2000, 5000],
  ['virus', 2000, 5000],
] as const)('[spec 3 §9] quarantine of %s', (box, warn, critical) => {
  const of = (count: number) => levels(box === 'spam' ? quarantine(count) : quarantine(0, count))
  expect(of(warn - 1)).toEqual({})
  expect(of(warn)).toEqual({ [`mail-quarantine-${box}`]: 'warning' })
  expect(of(critical)).toEqual({ [`mail-quarantine-${box}`]: 'critical' })
})

test.each([
  // warning: 25 percent and 250 more; critical: 50 percent and 500 more
  [1000, 1249, undefined],
  [1000, 1250, 'warning'],
  [400, 649, undefined],
  [400, 650, 'warning'],
  [1000, 1499, 'warning'],
  [1000, 1500, 'critical'],
  [1800, 2299, 'warning'],
  [0, 900, undefined],
  [4000, 5000, 'critical'],
])('[spec 3 §9] a quarantine that grew from %d to %d within two hours is %s', (from, to, level) => {
  const { tell, pass, alert } = after(quarantine(from))
  pass(2 * hourMs)
  tell('mail', quarantine(to), pmg)
  expect(alert('mail-quarantine-spam')?.level).toBe(level)
})

test('after two hours without growth the growth alert ends', () => {
  const { tell, pass, open } = after(quarantine(400))
  pass(2 * hourMs)
  tell('mail', quarantine(700), pmg)
  expect(open()).toEqual(['mail-quarantine-spam'])
  pass(2.5 * hourMs)
  expect(open()).toEqual([])
})

test('growth is found after a restart of Pulse as before it', () => {
  const { restart, tell, pass, open } = after(quarantine(400))
  pass(110 * minuteMs)
  restart(minuteMs).look()
  pass(9 * minuteMs)
  tell('mail', quarantine(700), pmg)
  expect(open()).toEqual(['mail-quarantine-spam'])
})

const counts = (spam: readonly number[]) => ({
  pmg: [
    aMailGateway({
      nodes: [],
      mailCount: spam.map((spamIn, index): MailHour => {
        const began = new Date(T0 - (spam.length - index) * hourMs).toISOString()
        return {
          timestamp: began,
          windowStart: began,
          timeframe: 'hour',
          index,
          count: 0,
          countIn: 0,
          countOut: 0,
          spamIn,
          spamOut: 0,
          virusIn: 0,
          virusOut: 0,
          rblRejects: 0,
          pregreet: 0,
          bouncesIn: 0,
          bouncesOut: 0,
        }
      }),
    }),
  ],
})
const usual = (hours: number, count: number) => Array.from({ length: hours }, () => count)

test.each([
  // Low baseline: 60 and 120 more.
  [[...usual(14, 20), 79, 79], undefined],
  [[...usual(14, 20), 80, 80], 'warning'],
  [[...usual(14, 20), 140, 140], 'critical'],
  // Otherwise 1.8 times and 150 more, or 2.5 times and 300 more.
  [[...usual(14, 100), 249, 249], undefined],
  [[...usual(14, 100), 250, 250], 'warning'],
  [[...usual(14, 100), 400, 400], 'critical'],
  [[...usual(14, 1000), 1799, 1799], undefined],
  [[...usual(14, 1000), 1800, 2600], 'warning'],
  // A single hour, or too few hours, cause no alert.
  [[...usual(14, 20), 20, 900], undefined],
  [[...usual(14, 20), 900, 20], undefined],
  [[...usual(11, 20), 900, 900], undefined],
  [[...usual(12, 20), 900, 900], 'critical'],
])('spam by the hour %j is %s', (spam, level) => {
  expect(levels(counts(spam))['mail-anomaly-spamIn']).toBe(level)
})

test('an unfinished hour does not count', () => {
  const { tell, open, pass } = after(counts([...usual(14, 20), 900, 900]))
  expect(open()).toEqual(['mail-anomaly-spamIn'])
  pass(30 * minuteMs)
  const now = counts([...usual(14, 20), 900, 900])
  const last = now.pmg[0]!.mailCount!.at(-1)!
  now.pmg[0]!.mailCount!.push({ ...last, timestamp: new Date(T0).toISOString(), spamIn: 0 })
  tell('mail', now, pmg)
  expect(open()).toEqual(['mail-anomaly-spamIn'])
  pass(31 * minuteMs)
  now.pmg[0] = { ...now.pmg[0]!, version: 'later' }
  tell('mail', now, pmg)
  expect(open()).toEqual([])
})

test('the baseline: the trimmed mean of a day, or the median where the mean is skewed', () => {
  expect(baseline([0, 0, 0])).toBe(1)
  expect(baseline([1, 2, 3])).toBe(2)
  expect(baseline([...usual(20, 10), 0, 0, 1000, 1000])).toBe(10)
  expect(baseline([...usual(16, 10), ...usual(8, 1000)])).toBe(10)
})

const backup = (daysAgo: number, filename: string): PmgBackup => ({
  id: filename,
  instance: 'mail',
  node: 'a',
  filename,
  backupTime: new Date(T0 - daysAgo * dayMs).toISOString(),
  size: 1,
  source: 'mail',
})

test('the newest backup of a gateway counts', () => {
  const config = settings({ backupDefaults: { enabled: true, warningDays: 7, criticalDays: 14 } })
  const { tell, open } = anEngine(config)
  tell('mail', { pmgBackups: [backup(20, 'old'), backup(8, 'new')] }, pmg)
  expect(open()).toEqual(['backup-age-mail:a:new'])
  tell('mail', { pmgBackups: [backup(20, 'old'), backup(8, 'new'), backup(0, 'fresh')] }, pmg)
  expect(open()).toEqual([])
})

test('[spec 3 §3] disableAllPMG switches all gateway alerts off', () => {
  const lists = gateway(node('a', { total: 9999 }))
  expect(levels(lists, settings({ disableAllPMG: true }))).toEqual({})
})

test('a queue that oscillates around its limits changes the level once and ends once', () => {
  const { poll, said, open } = anEngine()
  for (let round = 0; round < 60; round++)
    poll('mail', gateway(node('a', { deferred: round % 2 === 0 ? 495 : 505 })), pmg)
  expect(said.map(({ what }) => what).filter((what) => what !== 'refreshed')).toEqual(['raised', 'leveled'])
  for (let round = 0; round < 60; round++)
    poll('mail', gateway(node('a', { deferred: round % 2 === 0 ? 198 : 202 })), pmg)
  expect(said.map(({ what }) => what).filter((what) => what !== 'refreshed')).toEqual([
    'raised',
    'leveled',
    'leveled',
  ])
  poll('mail', gateway(node('a', { deferred: 180 })), pmg)
  expect(open()).toEqual([])
})
