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
import { createLazyReader, type LazyReader } from '@pulse/domain'
import { reconnectDelay } from './backoff.ts'
import type { ConnectionSource } from './connection.ts'
import { type LiveEvents, parseEvent } from './events.ts'
import { createRecoveryProbe, probeTiming } from './recovery-probe.ts'
import type { LiveStore } from './store.ts'

export interface SocketEdges {
  open(protocol: string): WebSocket
  inflate(data: ArrayBuffer): Promise<DeltaFrame>
  /** epoch ms, for display and for the server */
  now(): number
  /** ms, unaffected by changes of the system clock, for timeouts */
  monotonic(): number
  random(): number
  /** whether the server answers a call that needs no permissions; never rejects */
  isServerUp(): Promise<boolean>
  warn(message: string, detail?: unknown): void
}

export interface LiveSocket {
  start(): void
  stop(): void
  reconnectNow(): void
  /** Reconnects at once if the socket waits for the next attempt. */
  wake(): void
  subscribeSlice(slice: Slice): () => void
}

/** After this many failed attempts in a row, the page shows Disconnected. Attempts continue. */
export const attemptsBeforeDisconnected = 5

/** Minimum time between two requests for a snapshot. */
const snapshotRequestMs = 1_000

/** Keeps one connection open and feeds the store. Every connection starts with a snapshot. */
export function createLiveSocket(
  edges: SocketEdges,
  { store, connection, events }: { store: LiveStore; connection: ConnectionSource; events: LiveEvents },
): LiveSocket {
  const slices = new Map<Slice, number>()
  let socket: WebSocket | undefined
  let attempt = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let pingTimer: ReturnType<typeof setInterval> | undefined
  let timeoutTimer: ReturnType<typeof setTimeout> | undefined
  let lastReceivedAt = 0
  let hasOpened = false
  let applier = createFrameApplier(store)
  const recoveryProbe = createRecoveryProbe(edges)

  const send = (message: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  const sendPing = () => send({ type: 'ping', data: { timestamp: edges.now() } })

  const sendSlices = () => send({ type: 'subscribe', slices: ['live', ...slices.keys()] })

  const isSubscribed = (slice: Slice) => slice === 'live' || slices.has(slice)

  const setLoadedSlices = (loadedSlices: readonly Slice[]) => {
    if (loadedSlices.length !== connection.get().loadedSlices.length) connection.set({ loadedSlices })
  }

  const dropUnsubscribed = () => {
    for (const slice of allSlices) {
      if (isSubscribed(slice)) continue
      applier.drop(slice)
      store.apply({}, kindsOf(slice))
    }
    setLoadedSlices(connection.get().loadedSlices.filter(isSubscribed))
  }

  /** Drops the current socket and ignores its remaining events. */
  const drop = () => {
    clearTimeout(retryTimer)
    recoveryProbe.stop()
    clearInterval(pingTimer)
    clearTimeout(timeoutTimer)
    const old = socket
    socket = undefined
    old?.close(1000, 'Reconnecting')
  }

  const onLost = (code?: number) => {
    const refused = !hasOpened || code === signedOutCode
    drop()
    attempt += 1
    const waitMs = reconnectDelay(attempt, edges.random())
    connection.set({
      status: attempt <= attemptsBeforeDisconnected ? 'reconnecting' : 'disconnected',
      initialDataReceived: false,
      refusals: connection.get().refusals + (refused ? 1 : 0),
    })
    retryIn(waitMs)
    if (waitMs > probeTiming.minWaitMs) {
      recoveryProbe.start((inMs) => {
        clearTimeout(retryTimer)
        retryIn(inMs)
      })
    }
  }

  const retryIn = (ms: number) => {
    connection.set({ retryAt: edges.now() + ms })
    retryTimer = setTimeout(open, ms)
  }

  /** Browsers delay timers of hidden tabs, so the time of the last frame decides. */
  const checkTimeout = () => {
    const left = lastReceivedAt + liveTiming.silenceMs - edges.monotonic()
    if (left <= 0) onLost()
    else timeoutTimer = setTimeout(checkTimeout, left)
  }

  const onFrame = ({ gap, snapshot, changed, slice }: FrameOutcome, askAgain: () => void) => {
    if (gap) return askAgain()
    attempt = 0
    recoveryProbe.connected()
    if (snapshot && slice !== 'live') setLoadedSlices([...new Set([...connection.get().loadedSlices, slice])])
    connection.set({
      lastUpdate: Math.floor(edges.now() / 1000) * 1000,
      ...(changed && { dataChangedAt: edges.monotonic() }),
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
    hasOpened = false
    let opened: WebSocket
    try {
      opened = edges.open(DELTA_PROTOCOL)
    } catch (error) {
      edges.warn('The live connection could not be opened', error)
      return onLost()
    }
    socket = opened
    applier = createFrameApplier(store)
    dropUnsubscribed()
    opened.binaryType = 'arraybuffer'
    lastReceivedAt = edges.monotonic()
    checkTimeout()

    let requestedAt = -Infinity
    const requestSnapshot = () => {
      if (edges.monotonic() - requestedAt < snapshotRequestMs) return
      requestedAt = edges.monotonic()
      send({ type: 'requestData' })
    }
    const onOpen = () => {
      hasOpened = true
      if (opened.protocol !== DELTA_PROTOCOL) {
        edges.warn(`The live connection did not agree on ${DELTA_PROTOCOL}: is a proxy removing headers?`)
        return onLost()
      }
      lastReceivedAt = edges.monotonic()
      connection.set({ status: 'connected' })
      if (slices.size) sendSlices()
      pingTimer = setInterval(sendPing, liveTiming.pingMs)
    }
    const onBinary = async (inflated: Promise<DeltaFrame>, before: Promise<void>) => {
      await before
      try {
        const frame = await inflated
        // frames of an unsubscribed slice may still arrive
        if (socket === opened && isSubscribed(frame.s)) onFrame(applier.apply(frame), requestSnapshot)
      } catch (error) {
        edges.warn('Ignored an unreadable live frame', error)
      }
    }
    // frames are inflated concurrently and applied in order
    let applied = Promise.resolve()
    const onMessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      lastReceivedAt = edges.monotonic()
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
      whileCurrent<CloseEvent>(({ code }) => onLost(code)),
    )
    opened.addEventListener(
      'error',
      whileCurrent(() => onLost()),
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
        dropUnsubscribed()
      }
    },
  }
}

interface FrameOutcome {
  /** the frame could not be applied, so a snapshot is needed */
  gap: boolean
  snapshot: boolean
  /** data changed */
  changed: boolean
  slice: Slice
}

/** Kinds about the server and its sources. Changes in these alone do not count as changed data. */
const metaKinds: ReadonlySet<string> = new Set<RecordKind>(['meta', 'sources'])

interface FrameApplier {
  /** Throws if the frame is unreadable or the store rejects it. The slice's next frame is then a gap. */
  apply(frame: DeltaFrame): FrameOutcome
  /** The slice has no subscribers. It will start again with a snapshot. */
  drop(slice: Slice): void
}

/** Applies the frames of one connection to the store, in order of arrival. */
export function createFrameApplier(store: LiveStore): FrameApplier {
  const readers = new Map<Slice, LazyReader>()
  return {
    apply(frame) {
      const reader = readers.get(frame.s) ?? createLazyReader()
      readers.delete(frame.s)
      const result = reader.read(frame)
      if (result === 'gap') {
        readers.set(frame.s, reader)
        return { gap: true, snapshot: false, changed: false, slice: frame.s }
      }
      store.apply(result.changed, result.reset ? kindsOf(frame.s) : [])
      // last, because a frame that the store rejected counts as not read
      readers.set(frame.s, reader)
      const changed = result.reset || Object.keys(result.changed).some((kind) => !metaKinds.has(kind))
      return { gap: false, snapshot: result.reset, changed, slice: frame.s }
    },
    drop: (slice) => void readers.delete(slice),
  }
}
