import type { Clock } from '@pulse/domain'
import { request } from 'node:https'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { readPage } from './page.ts'

/** The reaction of an address to a TLS handshake. */
export type Dial =
  | { is: 'secure'; socket: TLSSocket }
  /** no host answers, or it refuses the connection */
  | { is: 'unreachable' | 'refused' | 'no_network' | 'canceled' }
  /** the port accepted the connection, but did not speak TLS, or not in time */
  | { is: 'not_tls' | 'late' }
  /** Pulse's own side failed: out of sockets or memory */
  | { is: 'failed'; code: string }

export interface AskEdges {
  clock: Clock
  timeoutMs: number
  signal: AbortSignal
}

let context: SecureContext | undefined

/** Opens one connection and sends no request. The certificate is not verified, because no secret is sent. */
export function dial(ip: string, port: number, { clock, timeoutMs, signal }: AskEdges): Promise<Dial> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ is: 'canceled' })
    let accepted = false
    let over = false
    // Shared by all connections: each separate context would read the system's CA certificates again.
    context ??= createSecureContext()
    const socket = connect({
      host: ip,
      port,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      secureContext: context,
    })
    const finish = (result: Dial) => {
      if (over) return
      over = true
      cancel()
      signal.removeEventListener('abort', givenUp)
      if (result.is !== 'secure') socket.destroy()
      resolve(result)
    }
    const givenUp = () => finish({ is: 'canceled' })
    const cancel = clock.after(timeoutMs, () => finish({ is: accepted ? 'late' : 'unreachable' }))
    signal.addEventListener('abort', givenUp)
    socket.once('connect', () => (accepted = true))
    socket.once('secureConnect', () => finish({ is: 'secure', socket }))
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => finish(failedDial(code, accepted)))
    socket.once('close', () => finish({ is: accepted ? 'not_tls' : 'refused' }))
  })
}

function failedDial(code: string, accepted: boolean): Dial {
  if (accepted) return { is: 'not_tls' }
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return { is: 'refused' }
  if (code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return { is: 'no_network' }
  const isOwnFault = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'].includes(code)
  return isOwnFault ? { is: 'failed', code } : { is: 'unreachable' }
}

export type Answer =
  { is: 'answer'; status: number; server: string; body: string } | { is: 'late' | 'no_http' | 'canceled' }

/** One GET over an open socket. Follows no redirect, reads no more than needed, and closes the connection. */
export function ask(
  socket: TLSSocket,
  path: string,
  { clock, timeoutMs, signal }: AskEdges,
): Promise<Answer> {
  return new Promise((resolve) => {
    const outgoing = request({
      host: socket.remoteAddress ?? null,
      port: socket.remotePort ?? null,
      path,
      createConnection: () => socket,
      headers: { accept: 'text/html, application/json', 'user-agent': 'Pulse', connection: 'close' },
    })
    let over = false
    const finish = (result: Answer) => {
      if (over) return
      over = true
      cancel()
      signal.removeEventListener('abort', givenUp)
      outgoing.destroy()
      socket.destroy()
      resolve(result)
    }
    const givenUp = () => finish({ is: 'canceled' })
    const cancel = clock.after(timeoutMs, () => finish({ is: 'late' }))
    signal.addEventListener('abort', givenUp)
    outgoing.on('error', () => finish({ is: 'no_http' }))
    if (signal.aborted) return givenUp()
    outgoing.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      const page = readPage()
      const answered = () =>
        finish({ is: 'answer', status, server: String(headers.server ?? ''), body: page.text() })
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        if (page.add(text)) answered()
      })
      response.once('end', answered)
      // The connection broke off half way. The received part may be enough.
      response.on('error', answered)
    })
    outgoing.end()
  })
}
