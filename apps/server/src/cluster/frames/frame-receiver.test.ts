import { headers } from '@nats-io/transport-node'
import type { JsMsg } from '@nats-io/jetstream'
import { type FakeClock, fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import type { SentFrame } from './field-changes.ts'
import { encodeFrame } from './frame-codec.ts'
import { followFrames } from './frame-receiver.ts'
import { header } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'
import { framesOf, streamName } from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] a process that follows the frames', () => {
  let server: NatsServer
  let bus: Bus
  let ends: (() => unknown)[]

  /** What happens to each message before it is taken. */
  function withMessages(change: (message: JsMsg) => JsMsg): Bus {
    const get: Bus['jetstream']['consumers']['get'] = async (...of) => {
      const consumer = await bus.jetstream.consumers.get(...of)
      const consume: typeof consumer.consume = async (options) => {
        const messages = await consumer.consume(options)
        async function* changed() {
          for await (const message of messages) yield change(message)
        }
        return Object.assign(changed(), { close: () => messages.close() }) as unknown as typeof messages
      }
      return { consume } as typeof consumer
    }
    return {
      ...bus,
      isUp: true,
      jetstream: { consumers: { get } } as unknown as Bus['jetstream'],
    }
  }

  /** What is taken waits for `free`. */
  async function receive(own: Bus, clock = fakeClock(), free?: { at: Promise<void> }) {
    const taken: number[] = []
    const records: unknown[] = []
    const faults: unknown[] = []
    const receiver = await followFrames({
      bus: own,
      clock,
      tidies: () => false,
      isOwn: () => false,
      reported: () => undefined,
      admits: () => true,
      headersOnly: false,
      async take({ frame }) {
        await free?.at
        taken.push(frame!.sequence)
        for (const [, record] of frame!.records.guests?.put ?? []) records.push(record)
        return 'taken'
      },
      onRefused: (_, why) => void faults.push(why),
      onFault: (error) => void faults.push(error),
    })
    ends.push(receiver.stop)
    return { receiver, taken, records, faults, clock }
  }
  /** The servers answer a process that wants to read the stream after what `before` says. */
  function withReading(before: () => Promise<unknown>): Bus {
    const get: Bus['jetstream']['consumers']['get'] = async (...of) => {
      await before()
      return bus.jetstream.consumers.get(...of)
    }
    return { ...bus, isUp: true, jetstream: { consumers: { get } } as unknown as Bus['jetstream'] }
  }

  /** Resolves when it has ended. */
  async function over(job: Promise<unknown>, clock: FakeClock) {
    let isOver = false
    void job.then(() => (isOver = true))
    await expect.poll(() => clock.advance(50).then(() => isOver), limit).toBe(true)
  }

  async function publish(sequence: number, more: Partial<SentFrame> = { begins: true, completes: true }) {
    const frame: SentFrame = { source: 's', run: 'r.1', sequence, records: {}, ...more }
    const own = headers()
    own.set(header.fence, '000000000000001.0000000000000001')
    own.set(header.part, '1')
    own.set(header.parts, '1')
    await bus.jetstream.publish(framesOf('main', 's'), encodeFrame(frame)[0]!, { headers: own })
  }

  beforeAll(async () => {
    server = await startNats()
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    bus = await openBus(settings, { name: 'test', clock: realClock, onLost: () => {}, onBack: () => {} })
  })
  afterAll(async () => {
    await bus?.close()
    await server?.remove()
  })
  beforeEach(async () => {
    ends = []
    await demandFrameStream(bus)
    await bus.manager.streams.purge(streamName)
  })
  afterEach(async () => {
    for (const end of ends) await end()
  })

  test('takes those of a new stream, also if the clock of its server is hours behind', async () => {
    let lateHours = 0n
    const { receiver, taken } = await receive(
      withMessages((message) =>
        Object.create(message, {
          timestampNanos: { value: message.timestampNanos - lateHours * 3_600_000_000_000n },
        }),
      ),
    )
    for (const sequence of [1, 2]) await publish(sequence)
    await expect.poll(() => taken, limit).toEqual([1, 2])
    await bus.manager.streams.delete(streamName)
    lateHours = 2n
    await demandFrameStream(bus)
    await publish(3)
    await receiver.again()
    await expect.poll(() => taken, limit).toEqual([1, 2, 3])
  })

  test('takes what a base has changed since as one frame if it comes later', async () => {
    await publish(1)
    for (let sequence = 2; sequence <= 50; sequence++) await publish(sequence, {})
    const { receiver, taken } = await receive(bus)
    await receiver.isCaughtUp
    expect(taken).toEqual([50])
    for (const sequence of [51, 52]) await publish(sequence, {})
    await expect.poll(() => taken, limit).toEqual([50, 51, 52])
  })

  test('is not read again while it takes what was in the stream, however long that lasts', async () => {
    await publish(1)
    for (let sequence = 2; sequence <= 5; sequence++) await publish(sequence, {})
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.unshift(resolve)
    let reads = 0
    const { receiver, taken, clock } = await receive(
      withMessages((message) => {
        reads++
        return message
      }),
      fakeClock(),
      { at: promise },
    )
    await expect.poll(() => reads, limit).toBe(5)
    expect(receiver.waiting()).toBe(5)
    await publish(6, {})
    for (let n = 0; n < 4; n++) await clock.advance(5_000)
    resolve()
    await expect.poll(() => taken, limit).toEqual([5, 6])
    expect([reads, receiver.waiting()]).toEqual([6, 0])
  })

  test('has caught up, before it leads, when what it had not read is taken; it waits for that three seconds at most', async () => {
    await publish(1)
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.unshift(resolve)
    const { receiver, taken, clock } = await receive(bus, fakeClock(), { at: promise })
    const caughtUp = async () => {
      await receiver.caughtUp()
      return [...taken]
    }
    const before = caughtUp()
    for (let n = 0; n < 60; n++) await clock.advance(50)
    expect(await before).toEqual([])
    const after = caughtUp()
    resolve()
    await expect.poll(() => clock.advance(50).then(() => taken), limit).toEqual([1])
    await over(after, clock)
    expect(await after).toEqual([1])
  })

  test('has caught up, before it leads, when it could read the stream again', async () => {
    let refuses = false
    const reading = withReading(async () => {
      if (refuses) throw new Error('the stream has no leader')
    })
    const { receiver, taken, clock } = await receive(reading)
    await receiver.isCaughtUp
    refuses = true
    await expect(receiver.again()).rejects.toThrow('no leader')
    await publish(1)
    refuses = false
    const caughtUp = receiver.caughtUp().then(() => [...taken])
    await over(caughtUp, clock)
    expect(await caughtUp).toEqual([1])
  })

  test('does not wait longer for servers that do not answer', async () => {
    let hangs = false
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.unshift(resolve)
    const { receiver, clock } = await receive(withReading(async () => hangs && (await promise)))
    await receiver.isCaughtUp
    hangs = true
    receiver.again().catch(() => {})
    let isOver = false
    void receiver.caughtUp().then(() => (isOver = true))
    for (let n = 0; n < 61; n++) await clock.advance(50)
    expect(isOver).toBe(true)
  })

  test('has caught up when it has taken what came while it was busy', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.unshift(resolve)
    const { receiver, taken, clock } = await receive(bus, fakeClock(), { at: promise })
    await receiver.isCaughtUp
    await publish(1)
    for (const sequence of [2, 3, 4]) await publish(sequence, {})
    const caughtUp = receiver.caughtUp().then(() => [...taken])
    await clock.advance(100)
    resolve()
    await over(caughtUp, clock)
    expect(await caughtUp).toEqual([1, 2, 3, 4])
  })

  test('has not caught up with a new stream because it had taken more of the one before', async () => {
    const free = { at: Promise.resolve() }
    const { receiver, taken, clock } = await receive(bus, fakeClock(), free)
    await receiver.isCaughtUp
    await publish(1)
    for (const sequence of [2, 3, 4]) await publish(sequence, {})
    await expect.poll(() => taken, limit).toHaveLength(4)
    await bus.manager.streams.delete(streamName)
    await demandFrameStream(bus)
    await receiver.again()
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.unshift(resolve)
    free.at = promise
    await publish(1, { run: 'r.2', begins: true, completes: true })
    const caughtUp = receiver.caughtUp().then(() => taken.length)
    await clock.advance(100)
    resolve()
    await over(caughtUp, clock)
    expect(await caughtUp).toBe(5)
  })

  test('asks again how far the stream goes, if that was refused', async () => {
    let refusals = 1
    const info: Bus['manager']['streams']['info'] = async (...of) => {
      if (isAsked && refusals-- > 0) throw new Error('the stream has no leader')
      return bus.manager.streams.info(...of)
    }
    let isAsked = false
    const streams = { ...bus.manager.streams, info } as unknown as Bus['manager']['streams']
    const manager = { streams } as Bus['manager']
    const { receiver, clock } = await receive({ ...bus, isUp: true, manager })
    await receiver.isCaughtUp
    isAsked = true
    const from = clock.monotonic()
    const caughtUp = receiver.caughtUp().then(() => clock.monotonic() - from)
    await over(caughtUp, clock)
    expect(refusals).toBeLessThan(0)
    expect(await caughtUp).toBeLessThan(2_500)
  })

  test('leaves records alone that it has taken, whenever they change', async () => {
    const guests = (...cpu: number[]) => ({ put: [], remove: [], set: { 'a.cpu': { i: [0], v: cpu } } })
    const whole = { put: [['g', { a: { cpu: 1 } }] as never], remove: [] }
    await publish(1, { begins: true, completes: true, records: { guests: whole } })
    await publish(2, { records: { guests: guests(2) } })
    const { receiver, records } = await receive(bus)
    await receiver.isCaughtUp
    expect(records).toEqual([{ a: { cpu: 2 } }])
    for (const [n, cpu] of [3, 4].entries()) await publish(3 + n, { records: { guests: guests(cpu) } })
    await expect.poll(() => records, limit).toHaveLength(3)
    expect(records).toEqual([2, 3, 4].map((cpu) => ({ a: { cpu } })))
  })

  test('takes nothing of a base that a wrong frame has changed', async () => {
    const guests = { put: [], remove: [], set: { cpu: { i: [0, 1], v: [2, 2] } } }
    await publish(1, {
      begins: true,
      completes: true,
      records: { guests: { put: [['g', { cpu: 1 }] as never], remove: [] } },
    })
    await publish(2, { records: { guests } })
    const { receiver, taken, faults } = await receive(bus)
    await receiver.isCaughtUp
    expect([taken, faults]).toEqual([[], ['a frame changes a record that there is not']])
  })

  test('has taken what it read if the messages end before it has caught up', async () => {
    for (let sequence = 1; sequence <= 5; sequence++)
      await publish(sequence, sequence === 1 ? { begins: true } : {})
    let read = 0
    const { taken, clock } = await receive(
      withMessages((message) => {
        if (++read === 4) throw new Error('the consumer is gone')
        return message
      }),
    )
    await expect.poll(() => taken, limit).toEqual([3])
    await clock.advance(5_000)
    await expect.poll(() => taken, limit).toEqual([3, 4, 5])
  })

  test('follows again after the messages have ended with an error', async () => {
    let isBroken = true
    const { taken, faults, clock } = await receive(
      withMessages((message) => {
        if (isBroken) throw new Error('the consumer is gone')
        return message
      }),
    )
    await publish(1)
    await expect.poll(() => faults, limit).toEqual([new Error('the consumer is gone')])
    isBroken = false
    await clock.advance(5_000)
    await expect.poll(() => taken, limit).toEqual([1])
  })
})
