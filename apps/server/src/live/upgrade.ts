import { DELTA_PROTOCOL } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { AppError } from '../app-error.ts'
import type { SocketCounts, Visitor } from './caps.ts'
import { createRefusals } from '../refusals.ts'

/** The largest legitimate message of a client has about a hundred bytes. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_FRAGMENTS = 64
const MAX_CHUNKS = 1_024
const MAX_UNSENT_PONGS = 4
/** A client that does not answer a close frame is disconnected after this time. */
const CLOSE_TIMEOUT_MS = 1_000

type WebSocketOptions = ServerOptions & {
  maxFragments: number
  maxBufferedChunks: number
  maxPendingAutoPongs: number
  closeTimeout: number
}

export interface UpgradeEdges {
  counts: SocketCounts
  clock: Clock
  log: Logger
  /** Throws the refusal. */
  identify: (request: IncomingMessage) => Promise<Visitor>
  /** Throws when an address was refused too often. */
  countRefusal: (request: IncomingMessage) => void
  accept: (socket: WebSocket, visitor: Visitor) => void
}

export interface Upgrade {
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Disconnects clients that are not admitted yet. Resolves when every open socket has closed. */
  close(): Promise<void>
}

/** Turns a request into an open socket, or into a refusal that is answered, counted and soon closed. */
export function createUpgrade({ counts, clock, log, identify, countRefusal, accept }: UpgradeEdges): Upgrade {
  // The type definitions of ws lack the limits of its newest versions.
  const options: WebSocketOptions = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_CHUNKS,
    maxPendingAutoPongs: MAX_UNSENT_PONGS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    handleProtocols: (offered) => (offered.has(DELTA_PROTOCOL) ? DELTA_PROTOCOL : false),
  }
  const server = new WebSocketServer(options)
  const refusals = createRefusals(clock)
  const waiting = new Set<Duplex>()
  let closing = false

  function refuse(request: IncomingMessage, socket: Duplex, error: unknown) {
    try {
      countRefusal(request)
      refusals.refuse(socket, toAppError(error))
    } catch (limit) {
      refusals.refuse(socket, toAppError(limit))
    }
  }

  function toAppError(error: unknown): AppError {
    if (error instanceof AppError) return error
    log.error({ err: error }, 'cannot open a live connection')
    return new AppError('internal_error', 'Internal error; see the Pulse log.')
  }

  server.on('wsClientError', ({ message }, socket, request) => {
    const headers = { 'sec-websocket-version': '13' }
    refuse(request, socket, new AppError('bad_request', `${message}.`, { headers }))
  })

  async function handle(request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (closing) return void socket.destroy()
    const onError = () => socket.destroy()
    socket.on('error', onError)
    waiting.add(socket)
    try {
      if (request.url?.split('?')[0] !== '/ws')
        throw new AppError('not_found', 'There is no WebSocket at this address.')
      const visitor = await identify(request)
      if (closing || socket.destroyed) return void socket.destroy()
      const full = counts.refusalOf(visitor)
      if (full) throw full
      socket.off('error', onError)
      server.handleUpgrade(request, socket, head, (opened) => accept(opened, visitor))
    } catch (error) {
      if (closing) socket.destroy()
      else refuse(request, socket, error)
    } finally {
      waiting.delete(socket)
    }
  }

  return {
    handle: (request, socket, head) => void handle(request, socket, head),
    close() {
      closing = true
      refusals.stop()
      for (const socket of waiting) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
