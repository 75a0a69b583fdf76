import type { LiveEvent } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { WebSocket } from 'ws'
import type { Principal } from '../auth/principal.ts'

/** A client with more unsent bytes gets no more frames until it has drained. */
const MAX_UNSENT_BYTES = 1024 * 1024
/** Limits of the events queued for one client, in number and in bytes. */
const MAX_WAITING_EVENTS = 128
const MAX_WAITING_EVENT_BYTES = 256 * 1024

/** Frames and bytes handed to sockets since the start. */
export interface Traffic {
  frames: number
  bytes: number
}

/** One open socket, as the feeds see it. */
export interface Client {
  readonly socket: WebSocket
  readonly principal: Principal
  /** monotonic ms of the last frame or pong from this client */
  heardAt: number
  /** monotonic ms since when unsent data is queued here; undefined when it has drained */
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

/** All clients share the bytes of a frame. A slow client keeps a reference, not a copy. */
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

/** A client whose queue is full loses the event. The next state has the same data. */
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
