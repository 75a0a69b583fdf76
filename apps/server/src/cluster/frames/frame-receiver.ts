import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { AnyRecord } from '@pulse/contract'
import type { Clock, Frame } from '@pulse/domain'
import { isFence } from '../../db/fence.ts'
import { createMutex } from '../../timing/concurrency.ts'
import { pause } from '../../timing/pause.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { Bus } from '../nats/bus.ts'
import { type Feed, Feeds } from './frame-feeds.ts'
import type { Reported } from './field-reader.ts'
import { header } from './frame-sender.ts'
import { partOf } from '../nats/parts.ts'
import { type Arrived, createHeldBases } from './held-bases.ts'
import { allFrames, type FramePlace, placeIn, resendOf, streamName } from '../nats/subjects.ts'

/**
 * How long one request for messages lasts. Half of it without a word, twice, means that the server that kept the place in
 * the stream has ended. The place is found again on another one.
 */
const requestMs = 4_000

/** A stream with messages that are not taken is read again after two of these. */
const lookMs = 5_000
/** A process that is to lead waits for what it has not read, but others wait for it. */
const catchUpMs = 3_000
const catchUpLookMs = 50
const catchUpAskMs = 500
/** A request for a base, or the base itself, may be lost. */
const askAgainMs = 10_000
/** A sender whose bases are refused is not asked more often. */
const replaceAgainMs = 60_000

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
  /** Takes frames in their order. `missing`: it has no base for one. */
  take: (received: ReceivedFrame) => Promise<'taken' | 'missing' | 'refused'>
  /** A record as it was taken from that source. */
  reported: (source: string, kind: string, id: string) => AnyRecord | undefined
  /** This process has sent it. */
  isOwn: (sent: Sent) => boolean
  /** Whether frames of that source are taken from there. Nothing is kept or unpacked of the others. `records`: what it has, as the sender says. */
  admits: (place: FramePlace, records: number | undefined) => boolean
  /** The servers send headers only, because nothing is admitted. */
  headersOnly: boolean
  /** A message is no frame, or its source is no longer that of its sender. */
  onRefused: (subject: string, why: string) => void
  /** Whether this process removes what a base has replaced: one of all does, so that collectors need no right to. */
  tidies: () => boolean
  onFault: (error: unknown) => void
}

export interface FrameReceiver {
  /** what was in the stream at the start has been taken */
  isCaughtUp: Promise<void>
  /** What is in the stream now has been taken, or that takes too long. */
  caughtUp(): Promise<void>
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
  reported,
  isOwn,
  admits,
  headersOnly,
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
  const ended = new AbortController()
  /** of the stream that the feeds are about */
  let madeAt: string | undefined
  let end: (() => Promise<void>) | undefined
  const caughtUp = Promise.withResolvers<void>()
  /** Messages that were in the stream before are still to come. */
  let isBehind = false
  const bases = createHeldBases((...given) => apply(...given).catch(onFault))

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

  function join(feed: Feed, source: string, message: JsMsg): Frame | 'gap' | 'refused' | undefined {
    const { subject, headers, data } = message
    try {
      const part = partOf(headers, data)
      const known: Reported | undefined = isBehind ? undefined : (kind, id) => reported(source, kind, id)
      return part && feeds.join(feed, part, { isUnseen: isBehind && bases.has(subject), reported: known })
    } catch (error) {
      // it may have changed records of its base
      bases.forget(subject)
      onRefused(subject, (error as Error).message)
      return 'refused'
    }
  }

  async function receive(message: JsMsg) {
    const { subject, headers, seq } = message
    const place = placeIn(subject)
    if (!place) return
    const fence = headers?.get(header.fence) ?? ''
    if (!isFence(fence)) return onRefused(subject, 'a message has no fence')
    const isSentHere = isOwn({ ...place, fence })
    if (isSentHere ? !tidies() : !admits(place, countIn(headers))) return
    const feed = feeds.of(subject, place)
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
      bases.forget(subject)
      await take({ ...place, frame: undefined, fence, ageMs })
      return
    }
    if (headers?.get(header.part) === '1') feed.firstPart = seq
    const frame = join(feed, place.source, message)
    if (!frame) return
    if (frame === 'gap') return ask(feed, place)
    if (frame === 'refused') return replace(subject, feed, place, seq)
    feed.taken = { seq, atMs }
    const run = runOf(frame)
    if (run < feed.run) return onRefused(subject, 'the frame is of an earlier run than the last one')
    feed.run = run
    const { firstPart } = feed
    const arrived = { ...place, subject, feed, fence, seq, ageMs, firstPart }
    if (!isBehind || !(await bases.hold(arrived, frame))) await apply(arrived, [frame])
  }

  async function apply({ subject, feed, seq, firstPart, ...sent }: Arrived, frames: Iterable<Frame>) {
    for (const frame of frames) {
      const result = await take({ ...sent, frame })
      if (result === 'refused') return replace(subject, feed, sent, seq)
      if (result === 'missing') return ask(feed, sent)
      if (frame.begins) {
        feed.askFrom = 0
        feed.baseFrom = firstPart
      }
      if (frame.completes) tidy(subject, feed)
    }
  }

  /** For a base, until it begins. */
  function ask(feed: Feed, { site, source }: FramePlace) {
    const now = clock.monotonic()
    if (now < feed.askFrom) return
    feed.askFrom = now + askAgainMs
    bus.nats.publish(resendOf(site, source))
  }

  /** With a base; until then, a process that comes now does not read the message that was refused, and those before it. */
  function replace(subject: string, feed: Feed, place: FramePlace, seq: number) {
    const now = clock.monotonic()
    feed.askFrom = feed.replaceFrom
    if (now < feed.replaceFrom) return
    feed.replaceFrom = now + replaceAgainMs
    ask(feed, place)
    if (tidies()) bus.manager.streams.purge(streamName, { filter: subject, seq: seq + 1 }).catch(onFault)
  }

  async function follow() {
    const consumer = await bus.jetstream.consumers.get(streamName, {
      filter_subjects: allFrames,
      deliver_policy: DeliverPolicy.All,
      headers_only: headersOnly,
    })
    const { state, created } = await bus.manager.streams.info(streamName)
    // places and times of another stream say nothing about this one, also if the clock of its server goes wrong
    if (madeAt !== undefined && created !== madeAt) {
      feeds.clear()
      lastTaken = 0
    }
    madeAt = created
    newestMs = Date.parse(state.last_ts)
    if (state.messages === 0) caughtUp.resolve()
    isBehind = state.messages > 0
    const messages = await consumer.consume({ expires: requestMs })
    async function takeAll() {
      for await (const message of messages) {
        await receive(message).catch(onFault)
        lastTaken = message.seq
        waiting = message.info.pending
        if (message.seq < state.last_seq && message.info.pending > 0) continue
        if (isBehind) await bases.releaseAll()
        isBehind = false
        caughtUp.resolve()
      }
    }
    const following = takeAll()
      .finally(bases.releaseAll)
      .catch((error: unknown) => {
        onFault(error)
        // the next look follows again
        if (end === close) end = undefined
      })
    async function close() {
      await messages.close()
      await following
    }
    return close
  }

  end = await follow()
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

  /** Rejects like that. */
  const readUnlessItIs = () =>
    inTurn(async () => {
      if (end || isStopped) return
      feeds.clearParts()
      end = await follow()
    })

  /** The client may wait for a server that is gone, although another one has messages for it. */
  async function look() {
    if (!bus.isUp) return
    if (!end) return readUnlessItIs()
    if (bases.isReleasing) return
    const { last_seq } = (await bus.manager.streams.info(streamName)).state
    const isStuck = last_seq > lastTaken && lastTaken === takenAtLook
    takenAtLook = lastTaken
    if (isStuck) await again()
  }

  const looking = createTicker({ clock, intervalMs: lookMs, run: look, onError: onFault })
  return {
    isCaughtUp: caughtUp.promise,
    async caughtUp() {
      const until = clock.monotonic() + catchUpMs
      let newest = Infinity
      let askAt = -Infinity
      async function ask() {
        askAt = Infinity
        await readUnlessItIs()
        const { state } = await bus.manager.streams.info(streamName)
        newest = state.messages === 0 ? 0 : state.last_seq
      }
      const waits = () => (isBehind || lastTaken < newest) && clock.monotonic() < until && !isStopped
      while (waits()) {
        if (clock.monotonic() >= askAt)
          void ask().catch((error: unknown) => {
            askAt = clock.monotonic() + catchUpAskMs
            onFault(error)
          })
        await pause(clock, catchUpLookMs, ended.signal)
      }
    },
    again,
    waiting: () => waiting + bases.waiting,
    async stop() {
      isStopped = true
      ended.abort()
      looking.stop()
      await inTurn(async () => end?.())
    },
  }
}

/** A sender numbers its runs. */
const runOf = ({ run }: Frame) => Number(/\.(\d{1,9})$/.exec(run)?.[1] ?? 0)

/** Absent in messages of an older version, and of another part than the first. */
function countIn(headers: JsMsg['headers']): number | undefined {
  const text = headers?.get(header.records) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
