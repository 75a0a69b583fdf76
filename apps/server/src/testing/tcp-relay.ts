import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpRelay {
  port: number
  /** that are open */
  readonly connections: number
  /** From now on nothing passes, and no connection ends: the network is cut, or the machine hangs. */
  freeze(): void
  /** The same for what the server answers; what it is asked passes. */
  freezeAnswers(): void
  /** All connections end, and no new one is made: the other end has been restarted, or a firewall refuses. */
  cut(): void
  /** What was held back passes, and new connections are made. */
  thaw(): void
  close(): void
}

/** Stands between a client and a server on loopback. */
export async function startTcpRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let isFrozen = false
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    upstreams.add(upstream)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void to.write(bytes))
      from.once('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        upstreams.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    get connections() {
      return sockets.size / 2
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    freezeAnswers() {
      for (const socket of upstreams) socket.pause()
    },
    cut() {
      isCut = true
      endAll()
    },
    thaw() {
      isFrozen = false
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      endAll()
    },
  }
}
