import { liveTiming } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createTicker } from '../timing/ticker.ts'
import { type Client, eventFrame, sendEvent } from './client.ts'
import type { Guard } from './guard.ts'

const LOOK_MS = 5_000
/** A client that has not drained for this long is disconnected, at most 30 s after it stopped reading. */
const STALLED_MS = 24_000
/** A client that sent nothing for this long, not even a pong, is gone. */
const NO_PONG_MS = 75_000

export interface KeepAliveEdges {
  clients: ReadonlySet<Client>
  clock: Clock
  guard: Guard
  /** before each round of pings */
  revalidate: () => void
  touch: (client: Client) => void
}

/** Pings all clients and disconnects those that do not read or answer. Returns a function that stops this. */
export function keepAlive({ clients, clock, guard, revalidate, touch }: KeepAliveEdges): () => void {
  let pingedAt = clock.monotonic()
  const looking = createTicker({
    clock,
    intervalMs: LOOK_MS,
    run: look,
    onError: (error) =>
      guard('the check of the clients', () => {
        throw error
      }),
  })

  function look() {
    const now = clock.monotonic()
    for (const client of clients) if (isGone(client, now)) client.socket.terminate()
    if (now - pingedAt < liveTiming.pingMs) return
    pingedAt = now
    revalidate()
    const ping = eventFrame({ type: 'ping', data: { timestamp: Math.floor(clock.now() / 1000) } })
    for (const client of clients) {
      guard('a ping', () => {
        touch(client)
        client.socket.ping()
        sendEvent(client, ping, clock)
      })
    }
  }

  return looking.stop
}

function isGone({ queuedSince, heardAt }: Client, now: number): boolean {
  return (queuedSince !== undefined && now - queuedSince > STALLED_MS) || now - heardAt > NO_PONG_MS
}
