import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { Clock, Frame } from '@pulse/domain'
import { createMutex } from '../timing/concurrency.ts'
import { createTicker } from '../timing/ticker.ts'
import type { Bus } from './bus.ts'
import { FrameJoiner } from './frame-codec.ts'
import { header } from './frame-sender.ts'
import { allFrames, type FramePlace, placeIn, resendOf, streamName } from './subjects.ts'

/**
 * How long one request for messages lasts. Half of it without a word, twice, means that the server that kept the place in
 * the stream has ended. The place is found again on another one.
 */
const requestMs = 4_000

/** Two numbers of fixed length, so that it sorts as a text. */
const isFence = (text: string) => /^\d{15}\.\d{16}$/.test(text)
/** A stream with messages that are not taken is read again after two of these. */
const lookMs = 5_000

/** Where a frame comes from. */
interface Sent extends FramePlace {
  fence: string
}

export interface ReceivedFrame extends Sent {
  /** undefined: the source is no more */
  frame: Frame | undefined
}

export interface FrameReceiverEdges {
  bus: Pick<Bus, 'nats' | 'jetstream' | 'manager' | 'isUp'>
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** Takes frames in their order. Resolves to false if it has no base for one. */
  take: (received: ReceivedFrame) => Promise<boolean>
  /** This process has sent it. */
  isOwn: (sent: Sent) => boolean
  /** A message is no frame, or its source is no longer that of its sender. */
  onRefused: (subject: string, why: string) => void
  /** Whether this process removes what a base has replaced: one of all does, so that collectors need no right to. */
  tidies: () => boolean
  onFault: (error: unknown) => void
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
export async function followFrames({
  bus,
  clock,
  take,
  isOwn,
  onRefused,
  tidies,
  onFault,
}: FrameReceiverEdges): Promise<FrameReceiver> {
  const joiners = new Map<string, FrameJoiner>()
  /** by subject: the newest fence, and a base that was asked for */
  const fences = new Map<string, string>()
  const asked = new Set<string>()
  /** by subject, places in the stream: of the last frame, and of a base that is not complete yet */
  const firstPart = new Map<string, number>()
  const baseFrom = new Map<string, number>()
  let waiting = 0
  /** of messages in the stream; the second one as of the last look */
  let [lastTaken, takenAtLook] = [0, -1]
  let isStopped = false
  const caughtUp = Promise.withResolvers<void>()

  /**
   * A process that comes now reads the last base, and none before. Nothing is before 1, and nats-server 2.9 would purge
   * it all.
   */
  function tidy(subject: string) {
    const from = baseFrom.get(subject) ?? 0
    baseFrom.delete(subject)
    if (from <= 1 || !tidies()) return
    bus.manager.streams.purge(streamName, { filter: subject, seq: from }).catch(onFault)
  }

  async function receive(message: JsMsg) {
    const { subject, headers } = message
    const place = placeIn(subject)
    if (!place) return
    const fence = headers?.get(header.fence) ?? ''
    if (!isFence(fence)) return onRefused(subject, 'a message has no fence')
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
    if (isOwn({ ...place, fence }) && !tidies()) return
    if (headers?.get(header.part) === '1') firstPart.set(subject, message.seq)
    const joiner = joiners.get(subject) ?? new FrameJoiner(place.source)
    joiners.set(subject, joiner)
    let frame: Frame | 'gap' | undefined
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
    if (frame === 'gap') return ask(subject, place)
    if (frame.begins) {
      asked.delete(subject)
      baseFrom.set(subject, firstPart.get(subject) ?? 0)
    }
    if (frame.completes) tidy(subject)
    const isTaken = await take({ ...place, frame, fence })
    if (!isTaken) ask(subject, place)
  }

  /** For a base, once until it begins. */
  function ask(subject: string, { site, source }: FramePlace) {
    if (asked.has(subject)) return
    asked.add(subject)
    bus.nats.publish(resendOf(site, source))
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
        await receive(message).catch(onFault)
        lastTaken = message.seq
        waiting = message.info.pending
        if (message.seq >= state.last_seq || message.info.pending === 0) caughtUp.resolve()
      }
    })()
    return async () => {
      await messages.close()
      await following
    }
  }

  let end: (() => Promise<void>) | undefined = await follow()
  const inTurn = createMutex()

  /** Rejects if the servers are not ready for it; the next look repeats it. */
  const again = () =>
    inTurn(async () => {
      const before = end
      end = undefined
      await before?.()
      joiners.clear()
      asked.clear()
      baseFrom.clear()
      if (!isStopped) end = await follow()
    })

  /** The client may wait for a server that is gone, although another one has messages for it. */
  async function look() {
    if (!bus.isUp) return
    if (!end) return again()
    const { last_seq } = (await bus.manager.streams.info(streamName)).state
    const isStuck = last_seq > lastTaken && lastTaken === takenAtLook
    takenAtLook = lastTaken
    if (isStuck) await again()
  }

  const looking = createTicker({ clock, intervalMs: lookMs, run: look, onError: onFault })
  return {
    isCaughtUp: caughtUp.promise,
    again,
    waiting: () => waiting,
    async stop() {
      isStopped = true
      looking.stop()
      await inTurn(async () => end?.())
    },
  }
}
