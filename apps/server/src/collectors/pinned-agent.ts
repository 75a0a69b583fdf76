import https from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
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

/** PVE closes a connection after 5 s without traffic. */
const idleTimeoutMs = 4_000
const connectTimeoutMs = 10_000

let context: SecureContext | undefined

/** Shared by all agents: a context per connection costs memory and a millisecond of CPU. */
const sharedContext = () => (context ??= createSecureContext({ minVersion: 'TLSv1.2' }))

export const connectionFailure = (code: string) => Object.assign(new Error('no connection'), { code })

/**
 * Node's keep-alive agent for one address. A request gets a socket only after its certificate was accepted,
 * so no byte reaches an unknown host. It resumes no TLS sessions, because those have no certificate.
 */
export class PinnedAgent extends https.Agent {
  readonly #address: URL
  readonly #trust: Trust
  readonly #clock: Clock
  readonly #onCertificate: (shown: ShownCertificate) => void
  readonly #sockets = new Set<TLSSocket>()
  #accepted = 0
  #isClosed = false

  constructor(address: URL, trust: Trust, clock: Clock, onCertificate: (shown: ShownCertificate) => void) {
    super({ keepAlive: true, timeout: idleTimeoutMs })
    this.#address = address
    this.#trust = trust
    this.#clock = clock
    this.#onCertificate = onCertificate
  }

  /** whether a connection with an accepted certificate is open */
  get isConnected(): boolean {
    return this.#accepted > 0
  }

  /** Calls back only after the certificate was accepted. The agent waits for that. */
  override createConnection(
    { signal }: https.RequestOptions,
    callback: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const refuse = (error: Error): undefined => void callback(error, undefined as never)
    if (this.#isClosed) return refuse(connectionFailure('ECANCELED'))
    const host = bareHost(this.#address)
    const socket = connect({
      host,
      port: Number(this.#address.port || 443),
      servername: isIP(host) ? '' : host,
      ALPNProtocols: ['http/1.1'], // PVE puts error texts into the reason phrase, which HTTP/2 lacks
      rejectUnauthorized: this.#trust.by === 'system',
      secureContext: sharedContext(),
    })
    socket.setNoDelay(true)
    this.#sockets.add(socket)
    let isSettled = false
    const settle = (error?: Error) => {
      if (isSettled) return
      isSettled = true
      cancelTimeout()
      signal?.removeEventListener('abort', abort)
      if (error) {
        socket.destroy()
        refuse(error)
      } else {
        this.#accepted++
        socket.once('close', () => this.#accepted--)
        callback(null, socket)
      }
    }
    const abort = () => settle(connectionFailure('ECONNABORTED'))
    const cancelTimeout = this.#clock.after(connectTimeoutMs, () => settle(connectionFailure('ETIMEDOUT')))
    signal?.addEventListener('abort', abort, { once: true })
    // Remains for the socket's life: an error between two requests must not be uncaught.
    socket.on('error', settle)
    socket.once('secureConnect', () => settle(this.#check(socket)))
    socket.once('close', () => {
      this.#sockets.delete(socket)
      settle(connectionFailure('ECONNRESET'))
    })
  }

  /** Ends all connections, including pending ones. Resolves when none remains. */
  async close(): Promise<void> {
    this.#isClosed = true
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(closed)
  }

  #check(socket: TLSSocket): FingerprintError | undefined {
    const shown = shownCertificate(socket.getPeerX509Certificate())
    this.#onCertificate(shown)
    if (this.#trust.by !== 'fingerprint') return undefined
    const expected = normalFingerprint(this.#trust.fingerprint)
    return shown.fingerprint === expected ? undefined : new FingerprintError(expected, shown.fingerprint)
  }
}
