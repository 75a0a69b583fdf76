import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { streamName } from '../nats/subjects.ts'
import { aFrameStream } from './fixtures-frame-stream.ts'
import { demandFrameStream } from './frame-stream.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(30_000) }

describe.skipIf(!found)('[N 2] a process that follows the frames', () => {
  const { bus, publish, receive, withMessages } = aFrameStream()

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
    await bus().manager.streams.delete(streamName)
    lateHours = 2n
    await demandFrameStream(bus())
    await publish(3)
    await receiver.again()
    await expect.poll(() => taken, limit).toEqual([1, 2, 3])
  })

  test('takes what a base has changed since as one frame if it comes later', async () => {
    await publish(1)
    for (let sequence = 2; sequence <= 50; sequence++) await publish(sequence, {})
    const { receiver, taken } = await receive(bus())
    await receiver.isCaughtUp
    expect(taken).toEqual([50])
    for (const sequence of [51, 52]) await publish(sequence, {})
    await expect.poll(() => taken, limit).toEqual([50, 51, 52])
  })

  test('leaves records alone that it has taken, whenever they change', async () => {
    const guests = (...cpu: number[]) => ({ put: [], remove: [], set: { 'a.cpu': { i: [0], v: cpu } } })
    const whole = { put: [['g', { a: { cpu: 1 } }] as never], remove: [] }
    await publish(1, { begins: true, completes: true, records: { guests: whole } })
    await publish(2, { records: { guests: guests(2) } })
    const { receiver, records } = await receive(bus())
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
    const { receiver, taken, faults } = await receive(bus())
    await receiver.isCaughtUp
    expect([taken, faults]).toEqual([[], ['a frame changes a record that there is not']])
  })
})
