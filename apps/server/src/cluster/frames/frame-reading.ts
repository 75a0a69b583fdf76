import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { Clock } from '@pulse/domain'
import { createMutex } from '../../timing/concurrency.ts'
import { pause } from '../../timing/pause.ts'
import { createTicker } from '../../timing/ticker.ts'
import type { Bus } from '../nats/bus.ts'
import { allFrames, streamName } from '../nats/subjects.ts'

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

export interface Place {
  /** Messages that were in the stream before are still to come. */
  isBehind: boolean
  /** ms, by the clock of the servers: when the last message was stored that was there before this reading */
  newestMs: number
}

export interface FrameReadingEdges {
  bus: Pick<Bus, 'jetstream' | 'manager' | 'isUp'>
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** The servers send headers only. */
  headersOnly: boolean
  /** The next message. */
  take: (message: JsMsg, place: Place) => Promise<void>
  /** What was in the stream has been taken, or the messages have ended: what waits for that is applied. Must not reject. */
  release: () => Promise<void>
  isReleasing: () => boolean
  /** It is another stream: places in the one before say nothing. */
  forgetPlaces: () => void
  /** Messages of which not all parts have come begin again. */
  forgetParts: () => void
  onFault: (error: unknown) => void
}

export interface FrameReading {
  /** what was in the stream at the start has been taken */
  isCaughtUp: Promise<void>
  /** What is in the stream now has been taken, or that takes too long. */
  caughtUp(): Promise<void>
  /** The line is back, and the stream may be another one. Rejects if the servers are not ready for it; the next look repeats it. */
  again(): Promise<void>
  /** messages that were not taken yet, as of the last one */
  waiting(): number
  stop(): Promise<void>
}

/** Reads the stream of frames from its first message on, and goes on with whatever comes. */
export async function readFrames(edges: FrameReadingEdges): Promise<FrameReading> {
  const { bus, clock, headersOnly, take, release, isReleasing, forgetPlaces, forgetParts, onFault } = edges
  let newestMs = 0
  let waiting = 0
  /** of messages in the stream; the second one as of the last look */
  let [lastTaken, takenAtLook] = [0, -1]
  let isStopped = false
  const ended = new AbortController()
  /** of the stream that places are about */
  let madeAt: string | undefined
  let end: (() => Promise<void>) | undefined
  const caughtUp = Promise.withResolvers<void>()
  let isBehind = false

  async function follow() {
    const consumer = await bus.jetstream.consumers.get(streamName, {
      filter_subjects: allFrames,
      deliver_policy: DeliverPolicy.All,
      headers_only: headersOnly,
    })
    const { state, created } = await bus.manager.streams.info(streamName)
    // places and times of another stream say nothing about this one, also if the clock of its server goes wrong
    if (madeAt !== undefined && created !== madeAt) {
      forgetPlaces()
      lastTaken = 0
    }
    madeAt = created
    newestMs = Date.parse(state.last_ts)
    if (state.messages === 0) caughtUp.resolve()
    isBehind = state.messages > 0
    const messages = await consumer.consume({ expires: requestMs })
    async function takeAll() {
      for await (const message of messages) {
        await take(message, { isBehind, newestMs }).catch(onFault)
        lastTaken = message.seq
        waiting = message.info.pending
        if (message.seq < state.last_seq && message.info.pending > 0) continue
        if (isBehind) await release()
        isBehind = false
        caughtUp.resolve()
      }
    }
    const following = takeAll()
      .finally(release)
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

  /** Unless it is read: also ends that, and begins again. */
  const read = (isAgain: boolean) =>
    inTurn(async () => {
      if (isStopped || (end && !isAgain)) return
      const before = end
      end = undefined
      await before?.()
      forgetParts()
      if (!isStopped) end = await follow()
    })

  /** The client may wait for a server that is gone, although another one has messages for it. */
  async function look() {
    if (!bus.isUp) return
    if (!end) return read(false)
    if (isReleasing()) return
    const { last_seq } = (await bus.manager.streams.info(streamName)).state
    const isStuck = last_seq > lastTaken && lastTaken === takenAtLook
    takenAtLook = lastTaken
    if (isStuck) await read(true)
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
        await read(false)
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
    again: () => read(true),
    waiting: () => waiting,
    async stop() {
      isStopped = true
      ended.abort()
      looking.stop()
      await inTurn(async () => end?.())
    },
  }
}
