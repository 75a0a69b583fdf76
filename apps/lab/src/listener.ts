import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Certificate } from './certificate.ts'
import { reportFailure } from './report.ts'

/** Actions on a connection in place of an answer. */
export interface Connection {
  reset(request: IncomingMessage): void
}

/** One machine as its listener sees it. */
export interface Machine {
  readonly name: string
  readonly address: string
  readonly certificate: Certificate
}

export interface ListenerPlan {
  machine: Machine
  port: number
  idleCloseMs: number
  handle: (connection: Connection, request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The web server of one machine. */
export interface Listener {
  open(): Promise<void>
  /** Closes every connection at once, like a machine that loses power. */
  close(): Promise<void>
  /** New connections get the machine's current certificate. */
  renew(): void
}

export function createListener({ machine, port, idleCloseMs, handle }: ListenerPlan): Listener {
  // The underlying TCP sockets, because a TLS socket cannot be reset.
  const sockets = new Map<string, Socket>()
  const server = createServer(tlsOf(machine.certificate), (request, response) => {
    const connection = {
      reset: (asked: IncomingMessage) => sockets.get(peerOf(asked.socket))?.resetAndDestroy(),
    }
    handle(connection, request, response).catch((error: unknown) => {
      reportFailure(`${machine.name} ${request.method} ${request.url}`, error)
      response.destroy()
    })
  })
  server.keepAliveTimeout = idleCloseMs
  server.keepAliveTimeoutBuffer = 0
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    sockets.set(peer, socket)
    socket.once('close', () => sockets.delete(peer))
  })
  // Ignores clients that refuse the certificate or disconnect.
  server.on('tlsClientError', (_, socket) => socket.destroy())

  const dropConnections = () => {
    for (const socket of sockets.values()) socket.destroy()
  }
  return {
    async open() {
      server.listen(port, machine.address)
      await once(server, 'listening')
    },
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      dropConnections()
      await closed
    },
    renew() {
      // A new context has new ticket keys, so resumed sessions never show the old certificate.
      server.setSecureContext(tlsOf(machine.certificate))
      dropConnections()
    },
  }
}

const tlsOf = ({ certPem, keyPem }: Certificate) => ({ cert: certPem, key: keyPem })

const peerOf = (socket: Socket): string => `${socket.remoteAddress}:${socket.remotePort}`
