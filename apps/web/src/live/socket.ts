import {
  DELTA_PROTOCOL,
  type DeltaFrame,
  kindsOf,
  liveTiming,
  type RecordKind,
  signedOutCode,
  type Slice,
  slices as allSlices,
} from '@pulse/contract'
import { createLateReader, type LateReader } from '@pulse/domain'
import { reconnectDelay } from './backoff.ts'
import type { ConnectionSource } from './connection.ts'
import { type LiveEvents, parseEvent } from './events.ts'
import { createReturnWatch, returnTiming } from './return-watch.ts'
import type { LiveStore } from './store.ts'

export interface SocketEdges {
  open(protocol: string): WebSocket
  inflate(data: ArrayBuffer): Promise<DeltaFrame>
  /** epoch ms, for what people and the server see */
  now(): number
  /** ms that no setting of the clock changes, for whatever is waited for */
  monotonic(): number
  random(): number
  /** whether the server answers a call that needs no rights; never rejects */
  answers(): Promise<boolean>
  warn(message: string, detail?: unknown): void
}

export interface LiveSocket {
  start(): void
  stop(): void
  reconnectNow(): void
  /** Ends the wait for the next attempt, if one is being waited for. */
  wake(): void
  subscribeSlice(slice: Slice): () => void
}

/** After this many failed attempts in a row the page says Disconnected; attempts go on. */
export const attemptsBeforeDisconnected = 5

/** A gap may be asked about once per second at most, whatever the frames say. */
const gapRequestMs = 1_000

/** Keeps one connection alive and feeds the store; every connection starts from a snapshot. */
export function createLiveSocket(
  edges: SocketEdges,
  { store, connection, events }: { store: LiveStore; connection: ConnectionSource; events: LiveEvents },
): LiveSocket {
  const slices = new Map<Slice, number>()
  let socket: WebSocket | undefined
  let attempt = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let pingTimer: ReturnType<typeof setInterval> | undefined
  let silenceTimer: ReturnType<typeof setTimeout> | undefined
  let lastHeard = 0
  let everOpened = false
  let applier = createFrameApplier(store)
  const serverReturn = createReturnWatch(edges)

  const send = (message: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  const sendPing = () => send({ type: 'ping', data: { timestamp: edges.now() } })

  const sendSlices = () => send({ type: 'subscribe', slices: ['live', ...slices.keys()] })

  const isWanted = (slice: Slice) => slice === 'live' || slices.has(slice)

  const holds = (held: readonly Slice[]) => {
    if (held.length !== connection.get().held.length) connection.set({ held })
  }

  const forgetUnwanted = () => {
    for (const slice of allSlices) {
      if (isWanted(slice)) continue
      applier.forget(slice)
      store.apply({}, kindsOf(slice))
    }
    holds(connection.get().held.filter(isWanted))
  }

  /** Forgets the current socket: nothing it still delivers counts. */
  const drop = () => {
    clearTimeout(retryTimer)
    serverReturn.end()
    clearInterval(pingTimer)
    clearTimeout(silenceTimer)
    const old = socket
    socket = undefined
    old?.close(1000, 'Reconnecting')
  }

  const lost = (code?: number) => {
    const turnedAway = !everOpened || code === signedOutCode
    drop()
    attempt += 1
    const patient = attempt <= attemptsBeforeDisconnected
    const wait = reconnectDelay(attempt, edges.random())
    connection.set({
      status: patient ? 'reconnecting' : 'disconnected',
      initialDataReceived: false,
      turnedAway: connection.get().turnedAway + (turnedAway ? 1 : 0),
    })
    tryIn(wait)
    if (wait > returnTiming.worthMs) {
      serverReturn.begin((inMs) => {
        clearTimeout(retryTimer)
        tryIn(inMs)
      })
    }
  }

  const tryIn = (ms: number) => {
    connection.set({ retryAt: edges.now() + ms })
    retryTimer = setTimeout(open, ms)
  }

  /** Timers of hidden tabs run late: what counts is when a frame last came in. */
  const watchSilence = () => {
    const left = lastHeard + liveTiming.silenceMs - edges.monotonic()
    if (left <= 0) lost()
    else silenceTimer = setTimeout(watchSilence, left)
  }

  const onFrame = ({ gap, snapshot, changed, slice }: FrameOutcome, askAgain: () => void) => {
    if (gap) return askAgain()
    attempt = 0
    serverReturn.connected()
    if (snapshot && slice !== 'live') holds([...new Set([...connection.get().held, slice])])
    connection.set({
      lastUpdate: Math.floor(edges.now() / 1000) * 1000,
      ...(changed && { freshAt: edges.monotonic() }),
      ...(snapshot && slice === 'live' && { initialDataReceived: true }),
    })
  }

  const onText = (text: string) => {
    const event = parseEvent(text)
    if (!event) return edges.warn('Ignored an unreadable live message', text.slice(0, 200))
    if (event.type === 'ping') send({ type: 'pong', data: { timestamp: edges.now() } })
    if (event.type === 'error') edges.warn('The live connection reported an error', event.error)
    events.emit(event)
  }

  const open = () => {
    drop()
    connection.set({ retryAt: undefined })
    everOpened = false
    let opened: WebSocket
    try {
      opened = edges.open(DELTA_PROTOCOL)
    } catch (error) {
      edges.warn('The live connection could not be opened', error)
      return lost()
    }
    socket = opened
    applier = createFrameApplier(store)
    forgetUnwanted()
    opened.binaryType = 'arraybuffer'
    lastHeard = edges.monotonic()
    watchSilence()

    let askedAt = -Infinity
    const askAgain = () => {
      if (edges.monotonic() - askedAt < gapRequestMs) return
      askedAt = edges.monotonic()
      send({ type: 'requestData' })
    }
    const onOpen = () => {
      everOpened = true
      if (opened.protocol !== DELTA_PROTOCOL) {
        edges.warn(`The live connection did not agree on ${DELTA_PROTOCOL}: is a proxy removing headers?`)
        return lost()
      }
      lastHeard = edges.monotonic()
      connection.set({ status: 'connected' })
      if (slices.size) sendSlices()
      pingTimer = setInterval(sendPing, liveTiming.pingMs)
    }
    const onBinary = async (inflated: Promise<DeltaFrame>, before: Promise<void>) => {
      await before
      try {
        const frame = await inflated
        // frames of a slice that was given up may still be on their way
        if (socket === opened && isWanted(frame.s)) onFrame(applier.apply(frame), askAgain)
      } catch (error) {
        edges.warn('Ignored an unreadable live frame', error)
      }
    }
    // inflating runs ahead, applying keeps the order in which the frames came
    let applied = Promise.resolve()
    const onMessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      lastHeard = edges.monotonic()
      if (typeof data === 'string') return onText(data)
      const inflated = edges.inflate(data)
      inflated.catch(() => {})
      applied = onBinary(inflated, applied)
    }
    const whileCurrent =
      <E>(handle: (event: E) => void) =>
      (event: E) => {
        if (socket === opened) handle(event)
      }
    opened.addEventListener('open', whileCurrent(onOpen))
    opened.addEventListener('message', whileCurrent(onMessage))
    opened.addEventListener(
      'close',
      whileCurrent<CloseEvent>(({ code }) => lost(code)),
    )
    opened.addEventListener(
      'error',
      whileCurrent(() => lost()),
    )
  }

  const reconnectNow = () => {
    if (attempt > 0 && socket?.readyState === WebSocket.CONNECTING) return
    connection.set({ status: 'reconnecting', initialDataReceived: false })
    open()
  }

  return {
    start() {
      attempt = 0
      connection.set({ status: 'connecting', initialDataReceived: false })
      open()
    },
    stop: drop,
    reconnectNow,
    wake: () => {
      if (!socket && attempt > 0) open()
    },
    subscribeSlice(slice) {
      slices.set(slice, (slices.get(slice) ?? 0) + 1)
      sendSlices()
      return () => {
        const left = (slices.get(slice) ?? 1) - 1
        if (left > 0) return void slices.set(slice, left)
        slices.delete(slice)
        sendSlices()
        forgetUnwanted()
      }
    },
  }
}

interface FrameOutcome {
  /** nothing could be applied: a snapshot is needed */
  gap: boolean
  snapshot: boolean
  /** there are new figures */
  changed: boolean
  slice: Slice
}

/** What the server says about its sources and itself: no figures of theirs. */
const pulseKinds: ReadonlySet<string> = new Set<RecordKind>(['meta', 'sources'])

interface FrameApplier {
  /** Throws when the frame is unreadable or the store cannot take it: the next of its slice is a gap then. */
  apply(frame: DeltaFrame): FrameOutcome
  /** Nobody follows the slice any more: it starts again with a snapshot. */
  forget(slice: Slice): void
}

/** Applies the frames of one connection to the store, in the order they arrived. */
export function createFrameApplier(store: LiveStore): FrameApplier {
  const readers = new Map<Slice, LateReader>()
  return {
    apply(frame) {
      const reader = readers.get(frame.s) ?? createLateReader()
      readers.delete(frame.s)
      const result = reader.read(frame)
      if (result === 'gap') {
        readers.set(frame.s, reader)
        return { gap: true, snapshot: false, changed: false, slice: frame.s }
      }
      store.apply(result.changed, result.reset ? kindsOf(frame.s) : [])
      // only now: what the store did not take counts as not read
      readers.set(frame.s, reader)
      const changed = result.reset || Object.keys(result.changed).some((kind) => !pulseKinds.has(kind))
      return { gap: false, snapshot: result.reset, changed, slice: frame.s }
    },
    forget: (slice) => void readers.delete(slice),
  }
}
