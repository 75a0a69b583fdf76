import { headers } from '@nats-io/transport-node'
import type { JsMsg } from '@nats-io/jetstream'
import { fakeClock } from '@pulse/testkit'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { realClock } from '../../edges.ts'
import { type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { framesOf, streamName } from '../nats/subjects.ts'
import type { SentFrame } from './field-changes.ts'
import { encodeFrame } from './frame-codec.ts'
import { followFrames } from './frame-receiver.ts'
import { header } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'

/** A stream of frames on a NATS server of its own, empty before each test of the suite. */
export function aFrameStream() {
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

  return {
    bus: () => bus,
    /** ends after the test, before what follows it */
    atEnd: (end: () => unknown) => void ends.unshift(end),
    withMessages,
    withReading,
    receive,
    publish,
  }
}
