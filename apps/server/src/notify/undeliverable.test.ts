import { afterEach, describe, expect, test } from 'vitest'
import { aGround } from '../auth/fixtures.ts'
import { deliveryStore } from '../db/deliveries.ts'
import { collect } from '../db/pages.ts'
import {
  aPipeline,
  delivered,
  freely,
  idsOf,
  logOf,
  minuteMs,
  refused,
  secondMs,
  type TestPipeline,
  undeliverable,
} from './fixtures.ts'

let now: TestPipeline
afterEach(() => now.end())

describe('what cannot be delivered', () => {
  test('is kept with its cause, can be sent again by hand, and shows in the trace', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => undeliverable
    now.raise('first')
    await now.pass(10 * minuteMs)
    expect(sink.attempts).toHaveLength(1)
    const [failed] = await logOf(now)
    expect(failed).toMatchObject({
      state: 'failed',
      error: 'It answered 404.',
      status_code: 404,
      attempts: 1,
    })
    expect(now.pipeline.explain('first')[0]!.text).toContain(
      'will not be retried; the delivery log says why.',
    )
    sink.answer = () => delivered
    expect(await now.pipeline.retry(failed!.id)).toBe('sent')
    await now.settled()
    expect(await logOf(now)).toMatchObject([{ state: 'delivered', attempts: 2, event_id: failed!.event_id }])
    expect(await now.pipeline.retry(failed!.id)).toBe('done')
    expect(await now.pipeline.retry('nothing')).toBe('unknown')
    expect(sink.received[0]!.notice.eventId).toBe(failed!.event_id)
  })

  test('is sent once when two people send it again at the same moment, also while the disk is full', async () => {
    now = await aPipeline(freely(), await aGround('embedded'))
    const sink = now.channel('sink')
    sink.answer = () => undeliverable
    now.raise('first')
    await now.pass(secondMs)
    const [failed] = await logOf(now)
    sink.answer = () => delivered
    const full = "CREATE TRIGGER full BEFORE UPDATE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END"
    await now.ground.maintenance.run([{ sql: full, parameters: [] }])
    await Promise.all([now.pipeline.retry(failed!.id), now.pipeline.retry(failed!.id)])
    await now.pass(10 * secondMs)
    expect(sink.received).toHaveLength(1)
  })

  test('a message that one receiver does not take keeps others from it no longer than three tries', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = (notice) => (idsOf(notice).includes('poison') ? refused : delivered)
    now.raise('poison')
    await now.pass(secondMs)
    now.raise('other')
    await now.pass(minuteMs)
    expect(sink.received.map(({ notice }) => idsOf(notice))).toEqual([['other']])
  })

  test('disabling or removing a channel cancels its messages', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    sink.answer = () => refused
    now.raise('first')
    await now.pass(5 * secondMs)
    sink.info = { ...sink.info, enabled: false }
    now.pipeline.setChannels()
    await now.settled()
    expect(await logOf(now)).toMatchObject([{ state: 'cancelled' }])
    sink.answer = () => delivered
    sink.info = { ...sink.info, enabled: true }
    now.pipeline.setChannels()
    await now.settled()
    expect(sink.received).toHaveLength(1)
    now.channels.length = 0
    now.pipeline.setChannels()
    await now.settled()
    expect(await collect(deliveryStore(now.ground.db).log())).toEqual([])
  })

  test('[R7] nothing is wrong any more with a channel that was removed', async () => {
    now = await aPipeline()
    now.channel('sink').answer = () => refused
    now.raise('first')
    await now.pass(minuteMs)
    expect(now.troubles.isDegraded()).toBe(true)
    now.channels.length = 0
    now.pipeline.setChannels()
    await now.settled()
    expect(now.troubles.isDegraded()).toBe(false)
    expect(await logOf(now)).toMatchObject([{ state: 'cancelled' }])
  })
})
