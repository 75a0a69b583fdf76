import { type FakeClock, fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { hasNats } from '../../testing/nats-server.ts'
import type { Bus } from '../nats/bus.ts'
import { streamName } from '../nats/subjects.ts'
import { aFrameStream } from './fixtures-frame-stream.ts'
import { demandFrameStream } from './frame-stream.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] a process that reads the stream of frames', () => {
  const { atEnd, bus, publish, receive, withMessages, withReading } = aFrameStream()

  /** Resolves when it has ended. */
  async function over(job: Promise<unknown>, clock: FakeClock) {
    let isOver = false
    void job.then(() => (isOver = true))
    await expect.poll(() => clock.advance(50).then(() => isOver), limit).toBe(true)
  }

  test('is not read again while it takes what was in the stream, however long that lasts', async () => {
    await publish(1)
    for (let sequence = 2; sequence <= 5; sequence++) await publish(sequence, {})
    const { promise, resolve } = Promise.withResolvers<void>()
    atEnd(resolve)
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
    atEnd(resolve)
    const { receiver, taken, clock } = await receive(bus(), fakeClock(), { at: promise })
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
    atEnd(resolve)
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
    atEnd(resolve)
    const { receiver, taken, clock } = await receive(bus(), fakeClock(), { at: promise })
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
    const { receiver, taken, clock } = await receive(bus(), fakeClock(), free)
    await receiver.isCaughtUp
    await publish(1)
    for (const sequence of [2, 3, 4]) await publish(sequence, {})
    await expect.poll(() => taken, limit).toHaveLength(4)
    await bus().manager.streams.delete(streamName)
    await demandFrameStream(bus())
    await receiver.again()
    const { promise, resolve } = Promise.withResolvers<void>()
    atEnd(resolve)
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
      return bus().manager.streams.info(...of)
    }
    let isAsked = false
    const streams = { ...bus().manager.streams, info } as unknown as Bus['manager']['streams']
    const manager = { streams } as Bus['manager']
    const { receiver, clock } = await receive({ ...bus(), isUp: true, manager })
    await receiver.isCaughtUp
    isAsked = true
    const from = clock.monotonic()
    const caughtUp = receiver.caughtUp().then(() => clock.monotonic() - from)
    await over(caughtUp, clock)
    expect(refusals).toBeLessThan(0)
    expect(await caughtUp).toBeLessThan(2_500)
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
