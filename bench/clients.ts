import { DELTA_PROTOCOL, type DeltaFrame } from '@pulse/contract'
import { createWireReader } from '@pulse/domain'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { WebSocket } from 'ws'
import { asAdmin } from './estate.ts'

const inflate = promisify(inflateRaw)

export interface DeltaClient {
  snapshotBytes: number
  /** of all frames after the snapshot */
  patchBytes: number
  patches: number
  /** from the newest answer a message carries to its arrival, ms */
  delaysMs: number[]
  reset(): void
  close(): void
}

/** A client of the compact protocol. `reads` decides whether it also decodes what it gets. */
export async function deltaClient(url: string, reads: boolean): Promise<DeltaClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, [DELTA_PROTOCOL], { headers: asAdmin })
  const reader = createWireReader()
  const seen = new Map<string, number>()
  let order: Promise<void> = Promise.resolve()
  const client: DeltaClient = {
    snapshotBytes: 0,
    patchBytes: 0,
    patches: 0,
    delaysMs: [],
    reset() {
      client.patchBytes = client.patches = 0
      client.delaysMs = []
    },
    close: () => socket.close(),
  }
  const read = (frame: DeltaFrame, arrivedAt: number) => {
    const change = reader.read(frame)
    if (change === 'gap') throw new Error('a frame was lost')
    for (const [id, { lastSeen }] of change.changed.sources?.put ?? []) {
      if (lastSeen === undefined || lastSeen === seen.get(id)) continue
      if (seen.has(id) && change.changed.guests) client.delaysMs.push(arrivedAt - lastSeen)
      seen.set(id, lastSeen)
    }
  }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) return
      const arrivedAt = Date.now()
      if (client.snapshotBytes === 0) {
        client.snapshotBytes = data.length
        resolve()
      } else {
        client.patchBytes += data.length
        client.patches++
      }
      if (reads) {
        order = order.then(async () => read(JSON.parse(String(await inflate(data))) as DeltaFrame, arrivedAt))
      }
    })
  })
  return client
}

export interface PlainClient {
  /** of the newest whole state */
  bytes: number
  frames: number
  close(): void
}

export async function plainClient(url: string): Promise<PlainClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: asAdmin,
    maxPayload: 512 * 1024 * 1024,
  })
  const client: PlainClient = { bytes: 0, frames: 0, close: () => socket.close() }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve())
  })
  socket.on('message', (data: Buffer) => {
    if (data.length < 1000) return
    client.bytes = data.length
    client.frames++
  })
  return client
}
