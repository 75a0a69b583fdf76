import type { Guest } from '@pulse/contract'
import { createEstate, type Estate, type Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { realClock } from '../../edges.ts'
import { hasNats, type NatsServer, startNats } from '../../testing/nats-server.ts'
import { type Bus, openBus } from '../nats/bus.ts'
import { encodeFrame } from './frame-codec.ts'
import type { FrameReading } from './frame-reading.ts'
import { followFrames } from './frame-receiver.ts'
import { createFrameSender, type FrameSender } from './frame-sender.ts'
import { demandFrameStream } from './frame-stream.ts'
import { framesOf, streamName } from '../nats/subjects.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }
const guests = (count: number, change: Partial<Guest> = {}) =>
  new Map(
    Array.from({ length: count }, (_, n) => [
      `s:${n}`,
      aGuest({ source: 's', vmid: n, name: `guest ${n}`, ...change }),
    ]),
  )
const namesOf = ({ tables }: Estate) => [...tables.guests.values()].map(({ name }) => name)

describe.skipIf(!found)('[N 2] observations over NATS', () => {
  let server: NatsServer
  let buses: Bus[]
  let ends: (() => unknown)[]
  const open = async (name: string, back = () => {}): Promise<Bus> => {
    const settings = { servers: [`127.0.0.1:${server.port}`], isEncrypted: false }
    const bus = await openBus(settings, { name, clock: realClock, onLost: () => {}, onBack: back })
    buses.push(bus)
    return bus
  }
  const fenceOf = (n: number) => `000000000000001.${String(n).padStart(16, '0')}`
  function send(bus: Bus, source = 's', lease = 1): FrameSender & { faults: unknown[] } {
    const faults: unknown[] = []
    const own = createFrameSender({
      bus,
      site: 'main',
      source,
      fence: fenceOf(lease),
      clock: realClock,
      onFault: (error) => void faults.push(error),
    })
    ends.push(() => own.stop())
    return Object.assign(own, { faults })
  }
  async function receive(bus: Bus) {
    const estate = createEstate()
    const refused: string[] = []
    const frames: Frame[] = []
    const receiver: FrameReading = await followFrames({
      bus,
      clock: realClock,
      onFault: (error) => void refused.push(String(error)),
      tidies: () => true,
      isOwn: () => false,
      reported: () => undefined,
      admits: () => true,
      headersOnly: false,
      async take({ frame }) {
        if (!frame) return 'taken'
        frames.push(frame)
        const steps = estate.receive(frame)
        for (const _ of steps ?? []);
        return steps ? 'taken' : 'missing'
      },
      onRefused: (_, why) => void refused.push(why),
    })
    ends.push(() => receiver.stop())
    return { estate, refused, frames, receiver }
  }
  beforeAll(async () => {
    server = await startNats()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    buses = []
    ends = []
    const bus = await open('set-up')
    await demandFrameStream(bus)
    await bus.manager.streams.purge(streamName)
  })
  afterEach(async () => {
    for (const end of ends) await end()
    for (const bus of buses) await bus.close()
  })

  test('arrive at every process, bases and changes, also at one that comes later', async () => {
    const sender = send(await open('collector'))
    const early = await receive(await open('early'))
    sender.offer({ records: { guests: guests(1_200) } })
    await expect.poll(() => early.estate.tables.guests.size, limit).toBe(1_200)
    sender.offer({
      records: { guests: new Map([...guests(1_199), ['s:5', aGuest({ source: 's', name: 'new' })]]) },
    })
    await expect.poll(() => early.estate.tables.guests.get('s:5')?.name, limit).toBe('new')
    const late = await receive(await open('late'))
    await late.receiver.isCaughtUp
    expect(namesOf(late.estate)).toEqual(namesOf(early.estate))
    expect(late.estate.tables.guests.size).toBe(1_199)
    expect([early.refused, late.refused, sender.faults]).toEqual([[], [], []])
  })

  test('the stream has one base of a source, however often one was sent', async () => {
    const bus = await open('collector')
    const sender = send(bus)
    const { frames } = await receive(await open('reader'))
    for (let n = 1; n <= 5; n++) {
      sender.offer({ records: { guests: guests(600, { cpu: n / 10 }) } })
      sender.resend()
      await expect.poll(() => frames.filter(({ completes }) => completes).length, limit).toBe(n + 1)
    }
    const bases = async () => {
      const late = await receive(await open('late'))
      await late.receiver.isCaughtUp
      return late.frames.filter(({ begins }) => begins).length
    }
    await expect.poll(bases, limit).toBe(1)
  })

  test('a base of many frames is sent once, and changes are followed by a base when they are much larger than it', async () => {
    const sender = send(await open('collector'))
    const { estate, frames } = await receive(await open('reader'))
    /** that cannot be compressed, so that the base is larger than what changes may grow to without one */
    const noisy = (name: string) =>
      new Map(
        [...guests(3_000, { name })].map(([id, guest]) => [
          id,
          { ...guest, tags: randomBytes(100).toString('base64') },
        ]),
      )
    const bases = () => frames.filter(({ completes }) => completes).length
    sender.offer({ records: { guests: noisy('first') } })
    sender.offer({ records: { guests: guests(3_000, { name: 'second' }) } })
    await expect.poll(() => namesOf(estate).at(-1), limit).toBe('second')
    expect(bases()).toBe(1)
    for (let n = 1; n <= 8; n++) sender.offer({ records: { guests: noisy(`change ${n}`) } })
    sender.offer({ records: { guests: guests(3_000, { name: 'last' }) } })
    await expect.poll(bases, limit).toBe(2)
    await expect.poll(() => namesOf(estate).at(-1), limit).toBe('last')
  })

  test('of a frame that is larger than a message comes in parts', async () => {
    const noise = Array.from({ length: 400 }, (_, n) =>
      Array.from({ length: 400 }, (_one, at) =>
        String.fromCharCode(33 + ((n * 7_919 + at * at * 31) % 90)),
      ).join(''),
    )
    const sender = send(await open('collector'))
    const { estate, refused } = await receive(await open('reader'))
    const large = new Map(
      noise.map((text, n) => [
        `s:${n}`,
        aGuest({
          source: 's',
          vmid: n,
          name: `${n}${text.repeat(n % 7)}`,
          tags: `${Math.random()}${text}`.repeat(9),
        }),
      ]),
    )
    sender.offer({ records: { guests: large } })
    await expect.poll(() => estate.tables.guests.size, limit).toBe(400)
    expect([namesOf(estate)[399], refused]).toEqual([large.get('s:399')!.name, []])
  })

  test('after a cut line, the newest state arrives, and nothing was kept for the time between', async () => {
    let isBack = false
    const bus = await open('collector', () => (isBack = true))
    const sender = send(bus)
    const { estate, receiver } = await receive(await open('reader'))
    sender.offer({ records: { guests: guests(10) } })
    await expect.poll(() => estate.tables.guests.size, limit).toBe(10)
    await server.halt()
    await expect.poll(() => bus.isUp, limit).toBe(false)
    for (let n = 1; n <= 50; n++) sender.offer({ records: { guests: guests(10, { name: `try ${n}` }) } })
    await server.rise()
    await expect.poll(() => isBack, limit).toBe(true)
    const succeeds = (work: () => Promise<void>) =>
      expect.poll(() => work().then(() => true, String), limit).toBe(true)
    // the stream was in memory, and JetStream or the line of the reader may need a moment
    await succeeds(() => demandFrameStream(bus))
    await succeeds(receiver.again)
    sender.resend()
    await expect.poll(() => namesOf(estate), limit).toEqual(Array.from({ length: 10 }, () => 'try 50'))
  })

  test('of a sender that has lost its lease are not taken', async () => {
    const [old, now] = [send(await open('old'), 's', 1), send(await open('new'), 's', 2)]
    const { estate } = await receive(await open('reader'))
    old.offer({ records: { guests: guests(1, { name: 'by the old one' }) } })
    await expect.poll(() => namesOf(estate), limit).toEqual(['by the old one'])
    now.offer({ records: { guests: guests(1, { name: 'by the new one' }) } })
    await expect.poll(() => namesOf(estate), limit).toEqual(['by the new one'])
    old.offer({ records: { guests: guests(1, { name: 'late' }) } })
    now.offer({ records: { guests: guests(2, { name: 'last' }) } })
    await expect.poll(() => namesOf(estate), limit).toEqual(['last', 'last'])
  })

  test('a receiver that missed something asks for a base, once', async () => {
    const bus = await open('collector')
    const sender = send(bus)
    sender.offer({ records: { guests: guests(3) } })
    const { state } = await bus.manager.streams.info(streamName)
    await expect.poll(async () => (await bus.manager.streams.info(streamName)).state.messages, limit).toBe(1)
    expect(state.messages).toBeLessThanOrEqual(1)
    await bus.manager.streams.purge(streamName)
    const { estate, frames } = await receive(await open('reader'))
    sender.offer({ records: { guests: guests(4) } })
    await expect.poll(() => estate.tables.guests.size, limit).toBe(4)
    expect(frames.map(({ begins }) => begins ?? false)).toEqual([true])
  })

  test('payloads that are no frames are refused, and the others go on', async () => {
    const bus = await open('attacker')
    const { estate, refused } = await receive(await open('reader'))
    const subject = framesOf('main', 's')
    const frame = { source: 's', run: 'r', sequence: 1, begins: true, completes: true, records: {} } as const
    const hostile: [Uint8Array, string, string, string?][] = [
      // it would be newer than all others, for ever
      [encodeFrame(frame)[0]!, '1', '1', '~'],
      [new Uint8Array(0), '1', '1'],
      [Buffer.from('not compressed'), '1', '1'],
      [encodeFrame({ ...frame, source: 'another' })[0]!, '1', '1'],
      [
        encodeFrame({ ...frame, records: { guests: { put: [['a', 7]] as never, remove: [] } } })[0]!,
        '1',
        '1',
      ],
      [encodeFrame({ ...frame, sequence: -1 })[0]!, '1', '1'],
      [encodeFrame(frame)[0]!, '2', '1'],
      [encodeFrame(frame)[0]!, '1', '1000000'],
      [encodeFrame(frame)[0]!, 'x', 'y'],
    ]
    for (const [bytes, part, parts, fence = fenceOf(1)] of hostile) {
      const own = (await import('@nats-io/transport-node')).headers()
      own.set('Pulse-Fence', fence)
      own.set('Pulse-Part', part)
      own.set('Pulse-Parts', parts)
      await bus.jetstream.publish(subject, bytes, { headers: own })
    }
    const sender = send(await open('collector'), 's', 1)
    sender.offer({ records: { guests: guests(2) } })
    await expect.poll(() => estate.tables.guests.size, limit).toBe(2)
    expect(refused).toHaveLength(6)
  })
})
