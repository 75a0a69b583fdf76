import type { JsMsg } from '@nats-io/jetstream'
import type { AnyRecord } from '@pulse/contract'
import type { Clock, Frame } from '@pulse/domain'
import { isFence } from '../../db/fence.ts'
import type { Bus } from '../nats/bus.ts'
import { type Feed, Feeds } from './frame-feeds.ts'
import type { Reported } from './field-reader.ts'
import { type FrameReading, type Place, readFrames } from './frame-reading.ts'
import { header } from './frame-sender.ts'
import { partOf } from '../nats/parts.ts'
import { type Arrived, createHeldBases } from './held-bases.ts'
import { type FramePlace, placeIn, resendOf, streamName } from '../nats/subjects.ts'

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
}: FrameReceiverEdges): Promise<FrameReading> {
  const feeds = new Feeds()
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

  function join(
    feed: Feed,
    source: string,
    message: JsMsg,
    isBehind: boolean,
  ): Frame | 'gap' | 'refused' | undefined {
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

  async function receive(message: JsMsg, { isBehind, newestMs }: Place) {
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
    const frame = join(feed, place.source, message, isBehind)
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

  const reading = await readFrames({
    bus,
    clock,
    headersOnly,
    take: receive,
    release: bases.releaseAll,
    isReleasing: () => bases.isReleasing,
    forgetPlaces: () => feeds.clear(),
    forgetParts: () => feeds.clearParts(),
    onFault,
  })
  return { ...reading, waiting: () => reading.waiting() + bases.waiting }
}

/** A sender numbers its runs. */
const runOf = ({ run }: Frame) => Number(/\.(\d{1,9})$/.exec(run)?.[1] ?? 0)

/** Absent in messages of an older version, and of another part than the first. */
function countIn(headers: JsMsg['headers']): number | undefined {
  const text = headers?.get(header.records) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
