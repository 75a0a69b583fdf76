import { type DeltaFrame, kindsOf, liveTiming, type Slice } from '@pulse/contract'
import {
  type Clock,
  jsonInSteps,
  type StatePatch,
  takeInto,
  wireWriterInSteps,
  type WireWriter,
} from '@pulse/domain'
import { randomUUID } from 'node:crypto'
import { runYielding } from '../timing/yield.ts'
import type { State } from '../state/state.ts'
import { answerTimesMs, createAnswerTimes } from './answer-times.ts'
import { type Client, hasDrained, hasRoom, isOpen, sendFrame } from './client.ts'
import { encode } from './encode.ts'
import { createThrottle } from '../timing/throttle.ts'
import { createTicker } from '../timing/ticker.ts'

/** A new epoch begins when a larger share of the indices is dead. */
const MAX_WASTE = 0.5
/** The interval between two snapshots for joining clients. */
const SNAPSHOT_GAP_MS = 100
/** Frames that may wait for compression. */
const MAX_UNDER_WAY = 4
/** Interval of the check whether a slow client has drained. */
const lookMs = liveTiming.heartbeatMs / 2

/** One slice of the state for all clients of the compact protocol. Each frame is made and compressed once. */
export interface DeltaFeed {
  /** Sends the client a snapshot now, and patches afterwards. */
  join(client: Client): void
  leave(client: Client): void
  /** Sends a new snapshot to a client that detected a gap. */
  resend(client: Client): void
  stop(): void
}

interface Snapshot {
  of: WireWriter
  rev: number
  bytes: Promise<Buffer>
}

/** A `wanting` client gets the next snapshot made. A client with a `Snapshot` waits for that one. */
type Standing = 'wanting' | 'following' | 'behind' | Snapshot

export function createDeltaFeed(
  slice: Slice,
  state: State,
  clock: Clock,
  onError: (e: unknown) => void,
): DeltaFeed {
  const clients = new Map<Client, Standing>()
  const kinds = kindsOf(slice)
  // Exists only while a client follows. Without clients, state changes cost nothing.
  let writer: WireWriter | undefined
  let pending: StatePatch | undefined
  let cancelTick: (() => void) | undefined
  let tickAt = Infinity
  const isTimesOnly = createAnswerTimes()
  let lastFrameAt = -Infinity
  let stopped = false
  // The writer is created in steps. Changes wait in `pending` meanwhile. Code that cancels this sets another
  // object or undefined.
  let opening: object | undefined
  // A frame is made in steps. The writer makes no other frame until it is finished.
  let making = Promise.resolve()
  let isMaking = false
  // Compression runs on other threads. This chain keeps frames in the order in which they were made.
  let order = Promise.resolve()
  let underWay = 0
  let snapshot: Snapshot | undefined

  const snapshots = createThrottle({
    clock,
    gapMs: SNAPSHOT_GAP_MS,
    run: () => inOrder(sendSnapshots),
    onError,
  })

  async function openWriter() {
    const own = (opening = {})
    const made = await runYielding(wireWriterInSteps(slice, randomUUID().slice(0, 8), state.tables))
    // The last client may have left meanwhile, and the changes are lost. Newer clients open again.
    if (own !== opening) return false
    opening = undefined
    writer = made
    return true
  }

  const unsubscribe = state.subscribe((patch) =>
    orStartAfresh(() => {
      const afterMs = isTimesOnly(patch) ? answerTimesMs : liveTiming.tickMs
      if (!writer && !opening) return
      if (takeInto((pending ??= {}), patch, kinds)) scheduleTick(afterMs)
    }),
  )
  const keepAlive = createTicker({
    clock,
    intervalMs() {
      const untilDue = lastFrameAt + liveTiming.heartbeatMs - clock.monotonic()
      return untilDue > 0 ? Math.min(untilDue, lookMs) : lookMs
    },
    run: () =>
      orStartAfresh(() => {
        restoreDrained()
        if (writer && clock.monotonic() - lastFrameAt >= liveTiming.heartbeatMs) broadcast(writer.heartbeat())
      }),
    onError,
  })

  /** A failure here must neither reach the collector that published nor end the process. */
  function orStartAfresh(run: () => void) {
    try {
      run()
    } catch (error) {
      startAfresh(error)
    }
  }

  /** Runs one task after another, and handles failures as `orStartAfresh` does. */
  function inOrder(run: () => Promise<void>) {
    making = making
      .then(() => {
        isMaking = true
        return run()
      })
      .catch(startAfresh)
      .finally(() => void (isMaking = false))
  }

  /** Every client gets a snapshot of a new epoch with the next keep-alive. */
  function startAfresh(error: unknown) {
    onError(error)
    writer = pending = snapshot = opening = undefined
    for (const client of clients.keys()) clients.set(client, 'behind')
  }

  function scheduleTick(afterMs: number = liveTiming.tickMs) {
    const now = clock.monotonic()
    const at = Math.max(now + afterMs, lastFrameAt + liveTiming.minGapMs)
    if (stopped || (cancelTick && tickAt <= at)) return
    cancelTick?.()
    tickAt = at
    cancelTick = clock.after(at - now, () => {
      cancelTick = undefined
      // Making and compressing a frame may take longer than a tick. Changes meanwhile go into one frame.
      if (isMaking || underWay >= MAX_UNDER_WAY) scheduleTick()
      else inOrder(tick)
    })
  }

  async function tick() {
    await advance()
    restoreDrained()
    if (writer && writer.waste() > MAX_WASTE) await startEpoch()
  }

  /** Brings the writer up to date with the state, so that a snapshot taken now is complete. */
  async function advance() {
    if (!pending || !writer) return
    const [patch, own] = [pending, writer]
    pending = undefined
    const frame = await runYielding(own.advance(patch))
    // All clients may have left, or may be waiting for a new snapshot.
    if (frame && own === writer) broadcast(frame)
  }

  function broadcast(frame: DeltaFrame) {
    lastFrameAt = clock.monotonic()
    enqueue(encode(jsonInSteps(frame)), (ready) => {
      for (const [client, standing] of clients) if (standing === 'following') deliver(client, ready)
    })
  }

  function deliver(client: Client, bytes: Buffer) {
    if (!isOpen(client)) return
    if (hasRoom(client)) sendFrame(client, bytes, { binary: true, clock })
    else clients.set(client, 'behind')
  }

  /** A slow client gets the latest state once it has drained, never the frames that it missed. */
  function restoreDrained() {
    for (const [client, standing] of clients) {
      if (standing === 'behind' && hasDrained(client)) sendSnapshot(client)
    }
  }

  function sendSnapshot(client: Client) {
    clients.set(client, 'wanting')
    snapshots.call()
  }

  /**
   * Clients that join within the gap share one snapshot: a thousand reconnects cost a few, not a thousand.
   */
  async function sendSnapshots() {
    if (!hasClient('wanting')) return
    if (!writer && !(await openWriter())) return
    await advance()
    // The writer is gone if the last of these clients has left.
    const wanting = [...clients].filter(([, standing]) => standing === 'wanting').map(([client]) => client)
    if (!writer || wanting.length === 0) return
    if (snapshot?.of !== writer || snapshot.rev !== writer.rev) {
      snapshot = { of: writer, rev: writer.rev, bytes: encode(writer.snapshot()) }
    }
    const own = snapshot
    for (const client of wanting) clients.set(client, own)
    enqueue(own.bytes, (ready) => {
      for (const client of wanting) {
        if (clients.get(client) !== own) continue
        clients.set(client, 'following')
        deliver(client, ready)
      }
    })
  }

  const hasClient = (standing: Standing) => [...clients.values()].includes(standing)

  /** Includes clients whose snapshot is under way, because that snapshot belongs to the epoch that ends. */
  async function startEpoch() {
    if (!(await openWriter())) return
    for (const [client, standing] of clients) if (standing !== 'behind') sendSnapshot(client)
  }

  function enqueue(bytes: Promise<Buffer>, deliverAll: (ready: Buffer) => void) {
    underWay++
    order = Promise.all([bytes, order])
      .then(([ready]) => deliverAll(ready))
      .catch((error: unknown) => startAfresh(error))
      .finally(() => void underWay--)
  }

  return {
    join: sendSnapshot,
    resend(client) {
      if (clients.get(client) === 'following') sendSnapshot(client)
    },
    leave(client) {
      clients.delete(client)
      if (clients.size > 0) return
      writer = pending = snapshot = opening = undefined
      cancelTick?.()
      cancelTick = undefined
    },
    stop() {
      stopped = true
      snapshots.cancel()
      unsubscribe()
      cancelTick?.()
      keepAlive.stop()
      clients.clear()
    },
  }
}
