import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Changes the first message of a server, which is never encrypted, on its way to the client. */
type Forge = (info: Record<string, unknown>) => { info: Record<string, unknown>; more?: string }

/** Offers TLS in a way that the client (nats-core 3) takes for an offer, and does not act on. */
export const withoutTls: Forge = ({ tls_required: _required, ...info }) => ({
  info: { ...info, tls_available: 1 },
})

export interface NatsInTheMiddle {
  port: number
  /** undefined: passes all as it is */
  forge: Forge | undefined
  /** what clients have sent to it in clear text */
  heard(): string
  /** how often it has forged a message */
  readonly forged: number
  /** connections that clients have made */
  readonly connections: number
  /** All connections end; clients connect again. */
  cut(): void
  close(): void
}

/** A man in the middle between a client and a NATS server on loopback. */
export async function startNatsInTheMiddle(target: number): Promise<NatsInTheMiddle> {
  const sockets = new Set<Socket>()
  let clearText = ''
  let forge: Forge | undefined
  let forgedCount = 0
  let connections = 0
  const server = createServer((client) => {
    connections++
    const upstream = connect(target, '127.0.0.1')
    for (const [own, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(own)
      own.once('error', () => other.destroy())
      own.once('close', () => {
        sockets.delete(own)
        other.destroy()
      })
    }
    upstream.once('data', (bytes: Buffer) => {
      if (forge) forgedCount++
      client.write(forge ? forged(bytes, forge) : bytes)
      upstream.on('data', (more) => void client.write(more))
    })
    client.on('data', (bytes) => {
      if (/^(CONNECT|PING|PUB|SUB)/.test(bytes.toString('latin1'))) clearText += bytes.toString('latin1')
      upstream.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get forge() {
      return forge
    },
    set forge(next) {
      forge = next
    },
    heard: () => clearText,
    get forged() {
      return forgedCount
    },
    get connections() {
      return connections
    },
    cut: endAll,
    close() {
      server.close()
      endAll()
    },
  }
}

function forged(bytes: Buffer, forge: Forge): string {
  const { info, more = '' } = forge(
    JSON.parse(bytes.toString().replace(/^INFO /, '')) as Record<string, unknown>,
  )
  return `INFO ${JSON.stringify(info)}\r\n${more}`
}
