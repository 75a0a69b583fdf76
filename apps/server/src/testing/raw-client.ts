import net from 'node:net'

/** A client that sends raw bytes and keeps its half of the connection open, whatever the server does. */
export function rawClient(
  port: number | string,
  text: string | Buffer = '',
  localAddress = '127.0.0.1',
): Promise<RawClient> {
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true })
  const client: RawClient = {
    socket,
    received: '',
    ended: new Promise((resolve) => socket.once('end', resolve)),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  }
  socket.on('data', (data) => (client.received += data.toString('latin1')))
  socket.on('error', () => socket.destroy())
  return new Promise((resolve) =>
    socket.once('connect', () => {
      if (text.length > 0) socket.write(text)
      resolve(client)
    }),
  )
}

export interface RawClient {
  socket: net.Socket
  received: string
  ended: Promise<void>
  closed: Promise<void>
}

export const handshake = (where = '/ws', headers: Record<string, string | undefined> = {}): string => {
  const all: Record<string, string | undefined> = {
    Host: 'pulse',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  )
  return `GET ${where} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
