import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { Clock, Frame } from '@pulse/domain'
import { createMutex } from '../timing/concurrency.ts'
import { createTicker } from '../timing/ticker.ts'
import type { Bus } from './bus.ts'
import { type Feed, Feeds } from './frame-feeds.ts'
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
/** A request for a base, or the base itself, may be lost. */
const askAgainMs = 10_000

/** Where a frame comes from. */
interface Sent extends FramePlace {
  fence: string
}

export interface ReceivedFrame extends Sent {
  /** undefined: the source is no more */
  frame: Frame | undefined
  /** how long it has been in the stream at least */
  ageMs: number
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
  const feeds = new Feeds()
  /** ms, by the clock of the servers: when the last message was stored that was there before this reading */
  let newestMs = 0
  let waiting = 0
  /** of messages in the stream; the second one as of the last look */
  let [lastTaken, takenAtLook] = [0, -1]
  let isStopped = false
  const caughtUp = Promise.withResolvers<void>()

  /**
   * A process that comes now reads the last base, and none before. Nothing is before 1, and nats-server 2.9 would purge
   * it all.
   */
  function tidy(subject: string, feed: Feed) {
    const from = feed.baseFrom
    feed.baseFrom = 0
    if (from <= 1 || !tidies()) return
    bus.manager.streams.purge(streamName, { filter: subject, seq: from }).catch(onFault)
  }

  /** Undefined if it is no frame. */
  function join(feed: Feed, { subject, headers, data }: JsMsg): Frame | 'gap' | undefined {
    try {
      return feeds.join(feed, {
        number: Number(headers?.get(header.part)),
        of: Number(headers?.get(header.parts)),
        bytes: data,
      })
    } catch (error) {
      feed.joiner.clear()
      onRefused(subject, (error as Error).message)
      return undefined
    }
  }

  async function receive(message: JsMsg) {
    const { subject, headers, seq } = message
    const place = placeIn(subject)
    if (!place) return
    const fence = headers?.get(header.fence) ?? ''
    if (!isFence(fence)) return onRefused(subject, 'a message has no fence')
    const feed = feeds.of(subject, place.source)
    const atMs = Number(message.timestampNanos / 1_000_000n)
    const { taken } = feed
    // the stream is read again; a message of another stream came later
    if (taken && seq <= taken.seq && atMs <= taken.atMs) return
    // its sender has lost the lease, and does not know it yet
    if (fence < feed.fence) return
    if (fence > feed.fence) {
      Object.assign(feed, { fence, run: 0 })
      feed.joiner.clear()
    }
    const ageMs = Math.max(0, newestMs - atMs)
    if (headers?.get(header.forgotten)) {
      Object.assign(feed, { taken: { seq, atMs }, run: 0 })
      await take({ ...place, frame: undefined, fence, ageMs })
      return
    }
    if (isOwn({ ...place, fence }) && !tidies()) return
    if (headers?.get(header.part) === '1') feed.firstPart = seq
    const frame = join(feed, message)
    if (!frame) return
    if (frame === 'gap') return ask(feed, place)
    feed.taken = { seq, atMs }
    const run = runOf(frame)
    if (run < feed.run) return onRefused(subject, 'the frame is of an earlier run than the last one')
    feed.run = run
    if (frame.begins) {
      feed.askedAt = undefined
      feed.baseFrom = feed.firstPart
    }
    if (frame.completes) tidy(subject, feed)
    const isTaken = await take({ ...place, frame, fence, ageMs })
    if (!isTaken) ask(feed, place)
  }

  /** For a base, until it begins. */
  function ask(feed: Feed, { site, source }: FramePlace) {
    const now = clock.monotonic()
    if (feed.askedAt !== undefined && now - feed.askedAt < askAgainMs) return
    feed.askedAt = now
    bus.nats.publish(resendOf(site, source))
  }

  async function follow() {
    const consumer = await bus.jetstream.consumers.get(streamName, {
      filter_subjects: allFrames,
      deliver_policy: DeliverPolicy.All,
    })
    const { state } = await bus.manager.streams.info(streamName)
    newestMs = Date.parse(state.last_ts)
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
      feeds.clearParts()
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

/** A sender numbers its runs. */
const runOf = ({ run }: Frame) => Number(/\.(\d{1,9})$/.exec(run)?.[1] ?? 0)
