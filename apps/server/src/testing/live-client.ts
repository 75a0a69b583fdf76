import { DELTA_PROTOCOL, type DeltaFrame } from '@pulse/contract'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { WebSocket } from 'ws'
import { addressInTurn, asAdmin } from './server.ts'

const inflate = promisify(inflateRaw)

export interface TextFrame {
  type: string
  data?: unknown
  error?: string
}

/** A client of the live socket that keeps all received frames. */
export interface LiveClient {
  socket: WebSocket
  texts: TextFrame[]
  deltas: DeltaFrame[]
  /** sizes of the received binary frames, in bytes */
  binaryBytes: number[]
  closed: Promise<{ code: number; reason: string }>
  send(message: unknown): void
  close(): void
}

export async function connectLive(
  url: string,
  {
    delta = false,
    headers = asAdmin,
    where = '/ws',
  }: { delta?: boolean; headers?: Record<string, string>; where?: string } = {},
): Promise<LiveClient> {
  const address = (await addressInTurn(url)).replace(/^http/, 'ws') + where
  const socket = new WebSocket(address, delta ? [DELTA_PROTOCOL] : [], {
    headers: { host: new URL(url).host, ...headers },
  })
  const client: LiveClient = {
    socket,
    texts: [],
    deltas: [],
    binaryBytes: [],
    closed: new Promise((resolve) =>
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
    ),
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    close: () => socket.close(),
  }
  let order = Promise.resolve()
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      client.texts.push(JSON.parse(String(data)) as TextFrame)
      return
    }
    client.binaryBytes.push(data.length)
    order = readInto(client, data, order)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return client
}

/** Inflates outside the thread, but keeps the order of arrival. */
async function readInto(client: LiveClient, data: Buffer, before: Promise<void>): Promise<void> {
  const [frame] = await Promise.all([inflate(data), before])
  client.deltas.push(JSON.parse(String(frame)) as DeltaFrame)
}
