import { log } from '../lib/log.ts'
import { tickAlong } from '../lib/use-now.ts'
import { createConnection } from './connection.ts'
import { takeEarlySocket } from './early-socket.ts'
import { createLiveEvents } from './events.ts'
import { inflateFrame } from './inflate.ts'
import type { Live } from './live.tsx'
import { serverAnswers } from '../lib/server-answers.ts'
import { createLiveSocket } from './socket.ts'
import { browserFrames, createNextFrame } from './next-frame.ts'
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
    if (freshAt !== shown) tickAlong()
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
