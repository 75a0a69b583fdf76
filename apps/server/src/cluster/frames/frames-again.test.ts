import { headers } from '@nats-io/transport-node'
import type { Clock, Frame } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { encodeFrame } from './frame-codec.ts'
import { followFrames, type ReceivedFrame } from './frame-receiver.ts'
import { createFrameSender, header } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'
import { framesOf, resendOf, streamName } from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }
const fence = '000000000000001.0000000000000001'

interface Receiving {
  clock?: Clock
  tidies?: boolean
  result?: 'taken' | 'refused'
}

describe.skipIf(!found)('[N 2] what the stream still has of a source', () => {
  let server: NatsServer
  let bus: Bus
  let ends: (() => unknown)[]

  async function receive({ clock = realClock, tidies = false, result = 'taken' }: Receiving = {}) {
    const received: ReceivedFrame[] = []
    const refused: string[] = []
    const receiver = await followFrames({
      bus,
      clock,
      tidies: () => tidies,
      isOwn: () => false,
      reported: () => undefined,
      admits: () => true,
      headersOnly: false,
      async take(one) {
        received.push(one)
        return result
      },
      onRefused: (_, why) => void refused.push(why),
      onFault: (error) => void refused.push(String(error)),
    })
    ends.push(receiver.stop)
    await receiver.isCaughtUp
    const taken = () => received.map(({ frame, source }) => `${source} ${frame?.run} ${frame?.sequence}`)
    return { receiver, received, refused, taken }
  }
  async function publish(source: string, run: number, sequence: number, more: Partial<Frame> = {}) {
    const frame: Frame = { source, run: `r.${run}`, sequence, records: {}, ...more }
    const own = headers()
    for (const [name, value] of [
      [header.fence, fence],
      [header.part, '1'],
      [header.parts, '1'],
    ] as const)
      own.set(name, value)
    await bus.jetstream.publish(framesOf('main', source), encodeFrame(frame)[0]!, { headers: own })
  }

  beforeAll(async () => {
    server = await startNats()
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
    await demandFrameStream(bus)
  })
  afterAll(async () => {
    await bus?.close()
    await server?.remove()
  })
  beforeEach(async () => {
    ends = []
    await bus.manager.streams.purge(streamName)
  })
  afterEach(async () => {
    for (const end of ends) await end()
  })

  test('is taken once, also when the stream is read again', async () => {
    const { receiver, taken } = await receive()
    await publish('s', 1, 1, { begins: true, completes: true })
    await publish('s', 1, 2)
    await expect.poll(taken, limit).toHaveLength(2)
    await receiver.again()
    await publish('s', 1, 3)
    await expect.poll(taken, limit).toContain('s r.1 3')
    expect(taken()).toEqual(['s r.1 1', 's r.1 2', 's r.1 3'])
  })

  test('is as old as the newest message shows, not as new as its reading', async () => {
    await publish('old', 1, 1, { begins: true, completes: true })
    const { state } = await bus.manager.streams.info(streamName)
    const laterMs = async () => {
      await publish('new', 1, 1, { begins: true, completes: true })
      const { last_ts } = (await bus.manager.streams.info(streamName)).state
      return Date.parse(last_ts) - Date.parse(state.last_ts)
    }
    await expect.poll(laterMs, limit).toBeGreaterThan(20)
    const { receiver, received } = await receive()
    await receiver.isCaughtUp
    const ageOf = (name: string) => received.findLast(({ source }) => source === name)!.ageMs
    expect(ageOf('old')).toBeGreaterThan(20)
    expect(ageOf('new')).toBe(0)
  })

  test('of an earlier run, sent again by a stranger, is refused', async () => {
    const { refused, taken } = await receive()
    await publish('s', 1, 1, { begins: true, completes: true })
    await publish('s', 2, 1, { begins: true, completes: true })
    await publish('s', 1, 1, { begins: true, completes: true })
    await expect.poll(() => refused, limit).toEqual(['the frame is of an earlier run than the last one'])
    expect(taken()).toEqual(['s r.1 1', 's r.2 1'])
  })

  test('and needs a base, is asked for again if none has come after 10 s, and not before', async () => {
    const clock = fakeClock()
    let asked = 0
    const heard = bus.nats.subscribe(resendOf('main', 's'), { callback: () => void asked++ })
    ends.push(() => heard.unsubscribe())
    const { taken } = await receive({ clock })
    for (let n = 1; n <= 3; n++) await publish('s', 1, n)
    await publish('later', 1, 1, { begins: true, completes: true })
    await expect.poll(taken, limit).toEqual(['later r.1 1'])
    await bus.nats.flush()
    await expect.poll(() => asked, limit).toBe(1)
    await clock.advance(10_000)
    await publish('s', 1, 4)
    await expect.poll(() => asked, limit).toBe(2)
  })

  test('and is no frame, is followed by a base at once: what a frame has changed already is not kept', async () => {
    let asked = 0
    const heard = bus.nats.subscribe(resendOf('main', 's'), { callback: () => void asked++ })
    ends.push(() => heard.unsubscribe())
    const { refused, taken } = await receive()
    await publish('s', 1, 1, { begins: true, completes: true })
    const guests = {
      put: [['s:1', aGuest({ source: 's', vmid: 1 })]],
      remove: [],
      set: { name: { i: [7], v: ['x'] } },
    }
    await publish('s', 1, 2, { records: { guests } as unknown as Frame['records'] })
    await expect.poll(() => refused, limit).toEqual(['a frame changes a record that there is not'])
    await bus.nats.flush()
    await expect.poll(() => asked, limit).toBe(1)
    await publish('s', 1, 3)
    await publish('s', 2, 1, { begins: true, completes: true })
    await expect.poll(taken, limit).toEqual(['s r.1 1', 's r.2 1'])
  })

  test('and is no frame, is removed by the process that leads, with all before it', async () => {
    const { refused } = await receive({ tidies: true })
    await publish('other', 1, 1, { begins: true, completes: true })
    await publish('s', 1, 1, { begins: true, completes: true })
    await publish('s', 1, -1)
    await expect.poll(() => refused, limit).toEqual(['a frame has no sequence'])
    const left = async () =>
      (await bus.manager.streams.info(streamName, { subjects_filter: '>' })).state.subjects
    await expect.poll(left, limit).toEqual({ [framesOf('main', 'other')]: 1 })
  })

  test('of a source whose bases are refused, one is asked for at once, and then once a minute', async () => {
    const clock = fakeClock()
    let asked = 0
    const heard = bus.nats.subscribe(resendOf('main', 's'), { callback: () => void asked++ })
    ends.push(() => heard.unsubscribe())
    const { received } = await receive({ clock, result: 'refused' })
    let run = 0
    async function askedAfter(ms: number) {
      await clock.advance(ms)
      for (const sequence of [1, 2]) await publish('s', ++run, sequence, { begins: true, completes: true })
      await expect.poll(() => received.length, limit).toBe(run)
      await bus.nats.flush()
      return asked
    }
    expect([await askedAfter(0), await askedAfter(30_000), await askedAfter(30_000)]).toEqual([1, 1, 2])
  })

  test('is promised for no longer than its source has, when a new run repeats it', async () => {
    const clock = fakeClock()
    const { received } = await receive()
    const line = { ...bus, isUp: false }
    const sender = createFrameSender({
      bus: line,
      site: 'main',
      source: 's',
      fence,
      clock,
      onFault(error) {
        throw error
      },
    })
    ends.push(sender.stop)
    sender.offer({ records: { guests: new Map([['s:1', aGuest({ source: 's' })]]) }, promiseMs: 60_000 })
    await clock.advance(40_000)
    line.isUp = true
    sender.resend()
    await expect.poll(() => received.length, limit).toBe(1)
    // and for 5 s in which its process could say that it does not answer
    expect(received[0]!.frame).toMatchObject({ begins: true, promiseMs: 20_000 + 5_000 })
  })
})
