import { isIP } from 'node:net'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import type { Clock } from '@pulse/domain'
import {
  bareHost,
  FingerprintError,
  normalFingerprint,
  type ShownCertificate,
  shownCertificate,
  type Trust,
} from './certificate.ts'

/** PVE closes a connection after 5 s of silence. */
const idleMs = 4_000
const connectMs = 10_000

type Use = (error: Error | undefined, socket?: TLSSocket) => void

/** The connections to one address: a few at most, kept for the next call, and each checked before a call gets it. */
export interface Connections {
  /** whether one of them stands */
  readonly connected: boolean
  /** Hands over a connection as soon as there is one; the returned function gives up on that. */
  take(use: Use): () => void
  /** It can be used again; one that ends leaves by itself. */
  release(socket: TLSSocket): void
  /** Resolves when none is left. */
  close(): Promise<void>
}

let context: SecureContext | undefined

/** One for all: each of its own would cost memory and a millisecond per connection. */
const sharedContext = () => (context ??= createSecureContext({ minVersion: 'TLSv1.2' }))

export function openConnections(
  url: URL,
  most: number,
  trust: Trust,
  clock: Clock,
  onCertificate: (shown: ShownCertificate) => void,
): Connections {
  const all = new Set<TLSSocket>()
  const ready = new Set<TLSSocket>()
  const idle: TLSSocket[] = []
  const waiting = new Set<Use>()
  let closed = false

  /** No byte of a request leaves before the certificate is known: a call gets the socket only then. */
  function dial(use: Use): () => void {
    const host = bareHost(url)
    const socket = connect({
      host,
      port: Number(url.port || 443),
      servername: isIP(host) ? '' : host,
      ALPNProtocols: ['http/1.1'], // the reason phrase, where PVE puts its error texts, exists there only
      rejectUnauthorized: trust.by === 'system',
      secureContext: sharedContext(),
    })
    socket.setNoDelay(true)
    all.add(socket)
    let settled = false
    const settle = (error: Error | undefined) => {
      if (settled) return
      settled = true
      cancel()
      if (error) socket.destroy()
      else ready.add(socket)
      use(error, error ? undefined : socket)
    }
    const cancel = clock.after(connectMs, () => settle(failure('ETIMEDOUT')))
    // Once it is in use, errors are told by the call as well.
    socket.on('error', settle)
    socket.once('secureConnect', () => {
      const shown = shownCertificate(socket.getPeerX509Certificate())
      onCertificate(shown)
      const got = shown.fingerprint
      const wanted = trust.by === 'fingerprint' ? normalFingerprint(trust.fingerprint) : got
      settle(got === wanted ? undefined : new FingerprintError(wanted, got))
    })
    socket.once('timeout', () => socket.destroy())
    socket.once('close', () => {
      settle(failure('ECONNRESET'))
      all.delete(socket)
      ready.delete(socket)
      if (idle.includes(socket)) idle.splice(idle.indexOf(socket), 1)
      const [next] = waiting
      if (!next || closed || all.size >= most) return
      waiting.delete(next)
      dial(next)
    })
    return () => {
      if (!settled) settle(failure('ECONNABORTED'))
    }
  }

  return {
    get connected() {
      return ready.size > 0
    },
    take(use) {
      const socket = idle.findLast(isSound)
      if (socket) {
        idle.splice(idle.indexOf(socket), 1)
        rouse(socket)
        use(undefined, socket)
        return () => {}
      }
      if (closed) {
        use(failure('ECANCELED'))
        return () => {}
      }
      if (all.size < most) return dial(use)
      waiting.add(use)
      return () => waiting.delete(use)
    },
    release(socket) {
      if (!isSound(socket) || closed) return void socket.destroy()
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        return next(undefined, socket)
      }
      lull(socket)
      idle.push(socket)
    },
    async close() {
      closed = true
      for (const use of waiting) use(failure('ECANCELED'))
      waiting.clear()
      const ends = [...all].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of all) socket.destroy()
      await Promise.all(ends)
    },
  }
}

/** One that is about to close says so before it has: by an end that came, or by our own. */
const isSound = ({ destroyed, readableEnded, writable }: TLSSocket) =>
  !destroyed && !readableEnded && writable

const failure = (code: string) => Object.assign(new Error('no connection'), { code })

/** Whoever speaks unasked is not talked to again: what it says would be taken for the next answer. */
const unasked = function (this: TLSSocket) {
  this.destroy()
}

function lull(socket: TLSSocket) {
  socket.setTimeout(idleMs)
  socket.on('data', unasked)
}

function rouse(socket: TLSSocket) {
  socket.setTimeout(0)
  socket.off('data', unasked)
}
