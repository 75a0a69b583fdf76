import type { DeltaFrame } from '@pulse/contract'
import { createFrameParser } from '@pulse/domain'
import { log } from '../lib/log.ts'
import { tickInFrame } from '../lib/use-now.ts'
import { createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import type { Live } from './live.tsx'
import { isServerUp } from '../lib/is-server-up.ts'
import { createLiveSocket } from './socket.ts'
import { createLiveStore } from './store.ts'
import { basePath } from '../lib/base-path.ts'

export interface RunningLive extends Live {
  /** Calling it twice has no effect. */
  start(): void
  stop(): void
}

/** The live state of this browser, wired to the real socket, clock and page. */
export function createLive(): RunningLive {
  const parts = {
    store: createLiveStore(createNextFrame(browserFrames)),
    connection: createConnection(),
    events: createLiveEvents(),
  }
  const socket = createLiveSocket(
    {
      open(protocol) {
        const url = liveUrl(window.location)
        return takeEarlySocket(url) ?? new WebSocket(url, protocol)
      },
      inflate: inflateFrame,
      now: () => Date.now(),
      monotonic: () => performance.now(),
      random: () => Math.random(),
      isServerUp,
      warn: log.warn,
    },
    parts,
  )
  let lastDataChange: number | undefined
  parts.connection.subscribe(() => {
    const { dataChangedAt } = parts.connection.get()
    if (dataChangedAt !== lastDataChange) tickInFrame()
    lastDataChange = dataChangedAt
  })
  let running = false
  const onVisible = () => {
    if (document.visibilityState === 'visible') socket.wake()
  }
  return {
    ...parts,
    reconnectNow: socket.reconnectNow,
    subscribeSlice: socket.subscribeSlice,
    start() {
      if (running) return
      running = true
      window.addEventListener('online', socket.wake)
      document.addEventListener('visibilitychange', onVisible)
      socket.start()
    },
    stop() {
      running = false
      window.removeEventListener('online', socket.wake)
      document.removeEventListener('visibilitychange', onVisible)
      socket.stop()
    },
  }
}

export function liveUrl({ protocol, host }: { protocol: string; host: string }): string {
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${basePath}/ws`
}

declare global {
  interface Window {
    /** opened by the first script of the document (public/first.js) */
    earlySocket?: { socket: WebSocket; take(): Event[] }
  }
}

/**
 * Takes over the socket that was opened while the program loaded. Works once. The caller must add its
 * listeners at once: earlier events are then dispatched again, in order.
 */
export function takeEarlySocket(url: string): WebSocket | undefined {
  const early = window.earlySocket
  if (!early) return undefined
  delete window.earlySocket
  const { socket } = early
  if (socket.url !== url) {
    socket.close()
    return undefined
  }
  queueMicrotask(() => {
    for (const event of early.take()) socket.dispatchEvent(event)
  })
  return socket
}

interface FrameEdges {
  isVisible(): boolean
  monotonic(): number
  /** runs it before the next frame; on a hidden page, when it becomes visible */
  requestFrame(run: () => void): void
}

/** Shorter than the server's interval between two patches. */
const MIN_GAP_MS = 100

/**
 * Runs the callback at most once per frame, without requesting one. A drawn change requests a frame itself,
 * and most heartbeats change nothing on the page.
 */
export function createNextFrame({ isVisible: isSeen, monotonic, requestFrame }: FrameEdges) {
  let ranAt = -Infinity
  return (run: () => void): void => {
    const timed = () => {
      ranAt = monotonic()
      run()
    }
    if (isSeen() && monotonic() - ranAt >= MIN_GAP_MS) queueMicrotask(timed)
    else requestFrame(timed)
  }
}

const browserFrames: FrameEdges = {
  isVisible: () => document.visibilityState === 'visible',
  monotonic: () => performance.now(),
  requestFrame: (run) => void requestAnimationFrame(run),
}

/** Compressed bytes per write. Some tens of bytes inflate to a thousand characters. */
const CHUNK_BYTES = 16 * 1024
/** The parser yields after this many characters. The frame of fifty thousand backups has tens of millions. */
const CHARACTERS_PER_YIELD = 1024 * 1024

/**
 * Inflates and parses a binary frame (`deflate-raw` of JSON) in steps, so that the page stays responsive. A
 * Blob piped into a Response costs ten times as much.
 */
export async function inflateFrame(data: ArrayBuffer): Promise<DeltaFrame> {
  const { readable, writable } = new DecompressionStream('deflate-raw')
  // reading below reports errors in the data
  feed(writable, data).catch(() => {})
  const reader = readable.getReader()
  const decoder = new TextDecoder()
  const parser = createFrameParser()
  let sinceYield = 0
  for (;;) {
    const { done, value } = await reader.read()
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
    parser.push(text)
    if (done) return parser.end()
    sinceYield += text.length
    if (sinceYield < CHARACTERS_PER_YIELD) continue
    sinceYield = 0
    await yieldToEventLoop()
  }
}

async function feed(writable: WritableStream<BufferSource>, data: ArrayBuffer): Promise<void> {
  const writer = writable.getWriter()
  for (let from = 0; from < data.byteLength; from += CHUNK_BYTES)
    await writer.write(new Uint8Array(data, from, Math.min(CHUNK_BYTES, data.byteLength - from)))
  await writer.close()
}

/** A message instead of a timer, because browsers run the timers of background pages only once a second. */
function yieldToEventLoop(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
