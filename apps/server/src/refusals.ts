import type { Clock } from '@pulse/domain'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from './app-error.ts'

/** How long a refused client may take to read why, and how many of them may at a time. */
export const lingering = { ms: 1_000, most: 32 }

/** Refused upgrades: each gets the reason and is closed a moment later, whatever its other end does. */
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
      // A close with unread bytes in the way is a reset, and the answer is lost: they are read and thrown away.
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
