import { log } from '../lib/log.ts'
import { tickWithFrame } from '../lib/use-now.ts'
import { createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import { inflateFrame } from './inflate.ts'
import type { Live } from './live.tsx'
import { serverAnswers } from '../lib/server-answers.ts'
import { createLiveSocket } from './socket.ts'
import { createLiveStore } from './store.ts'
import { basePath } from '../lib/base-path.ts'

export interface RunningLive extends Live {
  /** Once it runs, a second call changes nothing. */
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
      answers: serverAnswers,
      warn: log.warn,
    },
    parts,
  )
  let shown: number | undefined
  parts.connection.subscribe(() => {
    const { freshAt } = parts.connection.get()
    if (freshAt !== shown) tickWithFrame()
    shown = freshAt
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
 * The socket that was opened while the program was on its way, once. Its caller listens to it at once: what came in
 * before is dispatched again then, in its order.
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
  isSeen(): boolean
  monotonic(): number
  /** runs it before the next frame; on a page that nobody sees, when somebody does */
  requestFrame(run: () => void): void
}

/** Shorter than what the server leaves between two patches. */
const GAP_MS = 100

/**
 * Once per frame at most, and without asking for one: what changes the page asks for a frame itself, and most of what
 * the server says about itself changes nothing on it.
 */
export function createNextFrame({ isSeen, monotonic, requestFrame }: FrameEdges) {
  let ranAt = -Infinity
  return (run: () => void): void => {
    const timed = () => {
      ranAt = monotonic()
      run()
    }
    if (isSeen() && monotonic() - ranAt >= GAP_MS) queueMicrotask(timed)
    else requestFrame(timed)
  }
}

const browserFrames: FrameEdges = {
  isSeen: () => document.visibilityState === 'visible',
  monotonic: () => performance.now(),
  requestFrame: (run) => void requestAnimationFrame(run),
}
