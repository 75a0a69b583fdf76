import type { LiveEvent } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { WebSocket } from 'ws'
import type { Principal } from '../auth/principal.ts'

/** Unsent bytes beyond which a client gets nothing more until it has drained. */
const MAX_UNSENT_BYTES = 1024 * 1024
/** Events that may wait for one client, in number and together in bytes. */
const MAX_WAITING_EVENTS = 128
const MAX_WAITING_EVENT_BYTES = 256 * 1024

/** What was handed to sockets, since the start. */
export interface Traffic {
  frames: number
  bytes: number
}

/** One open socket, as the feeds see it. */
export interface Client {
  readonly socket: WebSocket
  readonly principal: Principal
  /** monotonic ms of the last frame or pong from it */
  heardAt: number
  /** monotonic ms since when something of what was sent is still here; undefined when it has drained */
  queuedSince: number | undefined
  waitingEvents: number
  waitingEventBytes: number
  /** of all clients together */
  readonly traffic: Traffic
}

export const newClient = (
  socket: WebSocket,
  principal: Principal,
  traffic: Traffic,
  clock: Clock,
): Client => ({
  socket,
  principal,
  heardAt: clock.monotonic(),
  queuedSince: undefined,
  waitingEvents: 0,
  waitingEventBytes: 0,
  traffic,
})

export const isOpen = ({ socket }: Client): boolean => socket.readyState === socket.OPEN
export const hasRoom = ({ socket }: Client): boolean => socket.bufferedAmount < MAX_UNSENT_BYTES
export const hasDrained = ({ socket }: Client): boolean => socket.bufferedAmount === 0

/** The bytes are shared by all clients that get them: a slow client keeps a reference, not a copy. */
export function sendFrame(
  client: Client,
  frame: Buffer,
  { binary, clock, onSent }: { binary: boolean; clock: Clock; onSent?: () => void },
): void {
  client.queuedSince ??= clock.monotonic()
  client.traffic.frames++
  client.traffic.bytes += frame.length
  client.socket.send(frame, { binary }, () => {
    if (hasDrained(client)) client.queuedSince = undefined
    onSent?.()
  })
}

export const eventFrame = (event: LiveEvent): Buffer => Buffer.from(JSON.stringify(event))

/** An event for which a client has no room is lost to it: what it shows comes with the next state. */
export function sendEvent(client: Client, event: LiveEvent | Buffer, clock: Clock): void {
  const frame = Buffer.isBuffer(event) ? event : eventFrame(event)
  const { waitingEvents, waitingEventBytes } = client
  const isFull =
    waitingEvents >= MAX_WAITING_EVENTS ||
    (waitingEvents > 0 && waitingEventBytes + frame.length > MAX_WAITING_EVENT_BYTES)
  if (!isOpen(client) || isFull) return
  client.waitingEvents++
  client.waitingEventBytes += frame.length
  sendFrame(client, frame, {
    binary: false,
    clock,
    onSent() {
      client.waitingEvents--
      client.waitingEventBytes -= frame.length
    },
  })
}
