import { afterEach, describe, expect, test } from 'vitest'
import { deliveryStore } from '../db/deliveries.ts'
import { collect } from '../db/pages.ts'
import type { Outcome } from './channel.ts'
import {
  aPipeline,
  delivered,
  freely,
  idsOf,
  minuteMs,
  refused,
  secondMs,
  type TestPipeline,
} from './fixtures.ts'

let now: TestPipeline
afterEach(() => now.end())

test('[R18] alerts that wait for many destinations are kept once, also after a restart', async () => {
  now = await aPipeline()
  const channels = ['one', 'two', 'three'].map((name) => now.channel(name))
  const seen: unknown[] = []
  for (const channel of channels) {
    channel.answer = ({ alerts }) => {
      seen.push(alerts[0]!.alert)
      return new Promise(() => {})
    }
  }
  now.raise('first')
  await now.settled()
  await now.restart()
  expect(seen).toHaveLength(6)
  expect(new Set(seen.slice(3)).size).toBe(1)
})

test('[S16] readers of alerts see that a message failed, but not its destination or the answer', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  sink.answer = () => ({ ...refused, reason: 'http://10.0.0.7:8080 answered 500: canary.' }) as Outcome
  now.raise('first')
  await now.settled()
  const notices = now.pipeline.explain('first')
  expect(notices.map(({ text }) => text)).toContain('It could not be sent; the delivery log says why.')
  expect(JSON.stringify(notices)).not.toMatch(/canary|10\.0\.0\.7/)
})

test('a channel that is removed and added again keeps the log of what it is sent then', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  const count = 6_000
  sink.info = { ...sink.info, capacity: { firing: count, resolved: count } }
  now.pipeline.setChannels()
  for (let n = 0; n < count; n++) now.raise(`a${n}`)
  const logged = async () => {
    await now.settled()
    return (await collect(deliveryStore(now.ground.db).log())).length
  }
  await now.pass(2 * minuteMs)
  expect(await logged()).toBe(count)
  now.channels.length = 0
  now.pipeline.setChannels()
  now.channels.push(sink)
  now.pipeline.setChannels()
  expect(await logged()).toBe(count)
})

describe('a restart', () => {
  test('sends nothing twice, and a resolved message for alerts that ended meanwhile', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    const first = now.raise('first')
    await now.settled()
    await now.restart()
    expect(sink.received).toHaveLength(1)
    expect(now.pipeline.explain('first')).toMatchObject([{ channel: 'sink', text: 'Sent.' }])
    now.resolve(first)
    await now.settled()
    expect(sink.received.map(({ notice }) => notice.kind)).toEqual(['raised', 'resolved'])
    expect(sink.received[1]!.notice.alerts[0]!.resolvedAt).toBeDefined()
    await now.restart()
    expect(sink.received).toHaveLength(2)
  })

  test('during an attempt: the message is sent again with the same event id', async () => {
    now = await aPipeline()
    const sink = now.channel('sink')
    const ids: string[] = []
    sink.answer = (notice, signal) => {
      ids.push(notice.eventId)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(refused)))
    }
    now.raise('first')
    await now.settled()
    sink.answer = (notice) => (ids.push(notice.eventId), delivered)
    await now.restart()
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })
})

test('[R5] thousands at once are one message on the wire', async () => {
  now = await aPipeline(freely())
  const sink = now.channel('sink')
  now.config = freely()
  sink.answer = () => refused
  now.raise('first')
  await now.settled()
  for (let n = 0; n < 500; n++) now.raise(`alert-${n}`)
  sink.answer = () => delivered
  await now.pass(30 * secondMs)
  expect(sink.received.map(({ notice }) => notice.alerts.length)).toEqual([1, 500])
})

test('an error while messages are due delays them by a second, and not until the next change', async () => {
  const grouping = { ...freely().schedule.grouping, enabled: true, window: 30 }
  now = await aPipeline(freely({ grouping }))
  const sink = now.channel('sink')
  now.raise('first')
  await now.pass(29 * secondMs)
  const { clock } = now.ground
  const { now: time } = clock
  let left = 1
  clock.now = () => {
    if (left-- > 0) throw new Error('broken')
    return time()
  }
  await clock.advance(secondMs)
  expect(now.faults.splice(0)).toEqual([new Error('broken')])
  await now.pass(2 * secondMs)
  expect(sink.received.flatMap(({ notice }) => idsOf(notice))).toEqual(['first'])
})
