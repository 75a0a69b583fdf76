import type { LiveEvent } from '@pulse/contract'
import type { WebSocket } from 'ws'
import type { Principal } from '../auth/principal.ts'

/** Unsent bytes beyond which a client gets nothing more until it has drained. */
const MAX_UNSENT_BYTES = 1024 * 1024

/** One open socket, as the feeds see it. */
export interface Client {
  readonly socket: WebSocket
  readonly principal: Principal
  /** epoch ms of the last frame or pong from it */
  heardAt: number
  /** since when it has not drained; undefined while it keeps up */
  behindSince: number | undefined
}

export const isOpen = ({ socket }: Client): boolean => socket.readyState === socket.OPEN
export const hasRoom = ({ socket }: Client): boolean => socket.bufferedAmount < MAX_UNSENT_BYTES
export const hasDrained = ({ socket }: Client): boolean => socket.bufferedAmount === 0

export function sendEvent(client: Client, event: LiveEvent): void {
  if (isOpen(client) && hasRoom(client)) client.socket.send(JSON.stringify(event))
}
