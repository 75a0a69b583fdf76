import type { Clock } from '@pulse/domain'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from './app-error.ts'

/** Time for a refused client to read the reason, and the number of such clients at a time. */
export const lingering = { ms: 1_000, most: 32 }

/**
 * Refused upgrades: each client gets the reason, and its socket is closed shortly after, whatever the client
 * does.
 */
export interface Refusals {
  refuse(socket: Duplex, error: AppError): void
  stop(): void
}

export function createRefusals(clock: Clock): Refusals {
  const leaving = new Map<Duplex, () => void>()

  function destroy(socket: Duplex) {
    leaving.get(socket)?.()
    leaving.delete(socket)
    socket.destroy()
  }

  return {
    refuse(socket, error) {
      if (socket.destroyed) return
      socket.on('error', () => destroy(socket))
      socket.on('close', () => destroy(socket))
      // Closing a socket with unread bytes sends a reset, and the client loses the answer. So the bytes are
      // read and dropped.
      socket.on('end', () => destroy(socket))
      socket.resume()
      socket.end(answer(error, clock.now()))
      leaving.set(
        socket,
        clock.after(lingering.ms, () => destroy(socket)),
      )
      if (leaving.size > lingering.most) destroy(leaving.keys().next().value!)
    },
    stop() {
      for (const socket of leaving.keys()) destroy(socket)
    },
  }
}

function answer(error: AppError, nowMs: number): string {
  const body = JSON.stringify({
    error: error.message,
    code: error.code,
    status_code: error.statusCode,
    timestamp: Math.floor(nowMs / 1000),
  })
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...error.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}\r\n${lines.join('')}\r\n${body}`
}
