import type { Clock } from '@pulse/domain'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import type { Refusals } from '../refusals.ts'

/** How long a caller may take, and how often that is looked at. */
export const httpTimes = {
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveTimeoutMs: 60_000,
  tlsHandshakeMs: 10_000,
  lookMs: 1_000,
}
export type HttpTimes = typeof httpTimes

export const serverOptions = ({ headersMs, requestMs, lookMs }: HttpTimes) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: lookMs,
  // a request that would rather speak something else is answered as what it is
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
})

/** What cannot be read as a request still gets an answer that can be read. */
export const refuseUnreadable =
  (refusals: Refusals) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    const { code = '' } = error
    if (socket.writable && /^(HPE_|ERR_HTTP_)/.test(code)) refusals.refuse(socket, unreadable(code))
    else socket.destroy()
  }

function unreadable(code: string): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request_timeout', 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError('headers_too_large', 'The headers of the request are too large.')
  return new AppError('bad_request', 'The request is malformed.')
}

/** Longer and more than this, a caller that does not read its refusal is not listened to. */
const drain = { ms: 10_000, bytes: 128 * 1024 * 1024 }

/**
 * An answer to a request of which more is to come. It is whole with its first piece; the connection ends when the caller
 * has sent what it wanted to, because a close in between is a reset, and callers then lose the answer.
 */
export function answerWhileReceiving(body: string, request: IncomingMessage, clock: Clock): Readable {
  const answer = new Readable({ read() {} })
  let bytes = 0
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    cancel()
    answer.push(null)
  }
  const cancel = clock.after(drain.ms, end)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > drain.bytes) end()
  })
  for (const event of ['end', 'close', 'error']) request.once(event, end)
  answer.push(body)
  return answer
}
