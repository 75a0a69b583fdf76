import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpRelay {
  port: number
  /** From now on nothing passes, and no connection ends: the network is cut, or the machine hangs. */
  freeze(): void
  /** What was held back passes. */
  thaw(): void
  close(): void
}

/** Stands between a client and a server on loopback. */
export async function startTcpRelay(target: number): Promise<TcpRelay> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void to.write(bytes))
      from.once('error', () => to.destroy())
      from.once('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
