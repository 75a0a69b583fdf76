import { alertDefaults, type AlertConfig } from '@pulse/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { deliveryStore } from '../db/deliveries.ts'
import { deliveryLog } from './delivery-log.ts'
import { aPipeline, delivered, freely, refused, type TestPipeline } from './fixtures.ts'

const secondMs = 1_000
const minuteMs = 60_000
const iso = (ms: number) => new Date(ms).toISOString()
let now: TestPipeline
afterEach(() => now.end())

const log = (query = {}) => deliveryLog(deliveryStore(now.ground.db), now.pipeline, query)
const rows = async (query = {}) =>
  (await log(query)).deliveries.map(({ state, kind, wait, alertCount }) => ({
    state,
    kind,
    wait,
    alertCount,
  }))
const grouped = (change: Partial<AlertConfig['schedule']> = {}) =>
  freely({ grouping: { ...alertDefaults.schedule.grouping, enabled: true, window: 300 }, ...change })

test('a waiting message is as old as its alert, not as its cause', async () => {
  now = await aPipeline(grouped())
  now.channel('sink')
  const raisedAt = now.ground.clock.now()
  now.raise('snapshot', { type: 'snapshot-age', startTime: iso(raisedAt - 75 * 24 * 60 * minuteMs) })
  await now.pass(minuteMs)
  expect((await log()).deliveries[0]).toMatchObject({ createdAt: iso(raisedAt) })
})

describe('a message that waits is a row of the delivery log, with its reason and its time', () => {
  test('while it collects alerts: when the window ends', async () => {
    now = await aPipeline(grouped())
    const sink = now.channel('sink')
    const startedAt = now.ground.clock.now()
    now.raise('first')
    await now.pass(minuteMs)
    now.raise('second', { level: 'critical' })
    const wait = { reason: 'grouping', until: iso(startedAt + 5 * minuteMs) }
    expect(await rows()).toEqual([{ state: 'waiting', kind: 'raised', wait, alertCount: 2 }])
    const { deliveries, total, queue } = await log()
    expect(deliveries[0]).toMatchObject({
      channelId: 'webhook:sink',
      channelName: 'sink',
      createdAt: iso(startedAt),
      alerts: [{ id: 'second' }, { id: 'first' }],
    })
    expect([total, queue.waiting]).toEqual([1, 2])
    expect(await rows({ state: 'failed' })).toEqual([])
    expect(await rows({ channel: 'email' })).toEqual([])
    await now.pass(5 * minuteMs)
    expect(sink.received).toHaveLength(1)
    expect(await rows()).toMatchObject([{ state: 'delivered', wait: undefined }])
  })

  test('while its channel fails: the time of the next attempt, and the messages that wait for it', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => ({ ...refused, status: 429, retryAfterMs: 42_000 }) as typeof refused
    now.raise('first')
    await now.settled()
    const next = iso(now.ground.clock.now() + 42_000)
    now.raise('second')
    await now.settled()
    expect(await rows()).toEqual([
      { state: 'waiting', kind: 'raised', wait: { reason: 'queue' }, alertCount: 1 },
      { state: 'waiting', kind: 'raised', wait: { reason: 'retry', until: next }, alertCount: 1 },
    ])
    sink.answer = () => delivered
    await now.pass(45 * secondMs)
    expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  })

  test.each<[string, AlertConfig, string]>([
    ['alerts are snoozed', { ...freely(), activationState: 'snoozed' }, 'activation'],
    [
      'quiet hours',
      freely({
        quietHours: { ...alertDefaults.schedule.quietHours, enabled: true, start: '00:00', end: '23:59' },
      }),
      'quiet-hours',
    ],
  ])('while a rule of the schedule suppresses it: %s', async (_, config, reason) => {
    now = await aPipeline(config)
    now.channel('sink')
    now.raise('first')
    now.raise('second')
    await now.settled()
    expect(await rows()).toMatchObject([{ state: 'waiting', wait: { reason }, alertCount: 2 }])
    expect((await log()).queue.waiting).toBe(0)
  })

  test('a reminder whose time has not come is no message yet', async () => {
    now = await aPipeline(freely({ cooldown: 30 }))
    now.channel('sink')
    now.raise('first')
    await now.settled()
    expect(await rows()).toMatchObject([{ state: 'delivered' }])
  })

  test('and cannot be sent again by hand before it was sent', async () => {
    now = await aPipeline(grouped())
    now.channel('sink')
    now.raise('first')
    const [row] = (await log()).deliveries
    expect(await now.pipeline.retry(row!.id)).toBe('pending')
  })
})

test('the trace of an alert says what its message waits for, for programs too', async () => {
  now = await aPipeline(grouped())
  now.channel('sink')
  now.raise('first')
  await now.pass(minuteMs)
  const until = iso(now.ground.clock.now() + 4 * minuteMs)
  expect(now.pipeline.explain('first')).toMatchObject([
    { channel: 'sink', wait: { reason: 'grouping', until } },
  ])
})
