import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { Frame } from '@pulse/domain'
import type { Bus } from './bus.ts'
import { FrameJoiner } from './frame-codec.ts'
import { header } from './frame-sender.ts'
import { allFrames, type FramePlace, placeIn, resendOf, streamName } from './subjects.ts'

/**
 * How long one request for messages lasts. Half of it without a word, twice, means that the server that kept the place in
 * the stream has ended. The place is found again on another one.
 */
const requestMs = 4_000

export interface ReceivedFrame extends FramePlace {
  /** undefined: the source is no more */
  frame: Frame | undefined
  fence: string
}

export interface FrameReceiverEdges {
  bus: Pick<Bus, 'nats' | 'jetstream' | 'manager'>
  /** Takes frames in their order. Resolves to false if it has no base for one. */
  take: (received: ReceivedFrame) => Promise<boolean>
  /** A message is no frame, or its source is no longer that of its sender. */
  onRefused: (subject: string, why: string) => void
}

export interface FrameReceiver {
  /** what was in the stream at the start has been taken */
  isCaughtUp: Promise<void>
  /** The line is back, and the stream may be another one. What is taken twice changes nothing. */
  again(): Promise<void>
  /** messages that were not taken yet, as of the last one */
  waiting(): number
  stop(): Promise<void>
}

/** Follows the frames of all sources: first the last base of each, and what changed since. */
export async function followFrames({ bus, take, onRefused }: FrameReceiverEdges): Promise<FrameReceiver> {
  const joiners = new Map<string, FrameJoiner>()
  /** by subject: the newest fence, and a base that was asked for */
  const fences = new Map<string, string>()
  const asked = new Set<string>()
  let waiting = 0
  const caughtUp = Promise.withResolvers<void>()

  async function receive(message: JsMsg) {
    const { subject, headers } = message
    const place = placeIn(subject)
    if (!place) return
    const fence = headers?.get(header.fence) ?? ''
    const newest = fences.get(subject) ?? ''
    // its sender has lost the lease, and does not know it yet
    if (fence < newest) return
    if (fence > newest) {
      fences.set(subject, fence)
      joiners.delete(subject)
    }
    if (headers?.get(header.forgotten)) {
      await take({ ...place, frame: undefined, fence })
      return
    }
    const joiner = joiners.get(subject) ?? new FrameJoiner(place.source)
    joiners.set(subject, joiner)
    let frame: Frame | undefined
    try {
      frame = joiner.take({
        number: Number(headers?.get(header.part)),
        of: Number(headers?.get(header.parts)),
        bytes: message.data,
      })
    } catch (error) {
      joiners.delete(subject)
      onRefused(subject, (error as Error).message)
      return
    }
    if (!frame) return
    if (frame.begins) asked.delete(subject)
    const isTaken = await take({ ...place, frame, fence })
    if (isTaken || asked.has(subject)) return
    asked.add(subject)
    bus.nats.publish(resendOf(place.site, place.source))
  }

  async function follow() {
    const consumer = await bus.jetstream.consumers.get(streamName, {
      filter_subjects: allFrames,
      deliver_policy: DeliverPolicy.All,
    })
    const { state } = await bus.manager.streams.info(streamName)
    if (state.messages === 0) caughtUp.resolve()
    const messages = await consumer.consume({ expires: requestMs })
    const following = (async () => {
      for await (const message of messages) {
        await receive(message)
        waiting = message.info.pending
        if (message.seq >= state.last_seq || message.info.pending === 0) caughtUp.resolve()
      }
    })()
    return async () => {
      await messages.close()
      await following
    }
  }

  let end = await follow()
  return {
    isCaughtUp: caughtUp.promise,
    async again() {
      await end()
      joiners.clear()
      asked.clear()
      end = await follow()
    },
    waiting: () => waiting,
    stop: () => end(),
  }
}
