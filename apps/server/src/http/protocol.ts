import type { Clock } from '@pulse/domain'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'
import type { Refusals } from '../refusals.ts'

/** Timeouts for callers, and the interval of their check. */
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
  // a request to upgrade to another protocol is answered as a plain request
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
})

/** Sends a readable answer even to an unparsable request. */
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

/** Limits for a caller that sends on instead of reading its refusal. */
const drain = { ms: 10_000, bytes: 128 * 1024 * 1024 }

/**
 * Answers a request that is still being sent. The first chunk contains the whole answer. The connection ends
 * after the caller has sent everything: an earlier close would be a reset, and the caller would lose the
 * answer.
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
