import { DELTA_PROTOCOL, type DeltaFrame, type Slice } from '@pulse/contract'
import type { createWireReader, WireChange } from '@pulse/domain'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { WebSocket } from 'ws'
import { asAdmin } from './estate.ts'

const inflate = promisify(inflateRaw)

type Reader = ReturnType<typeof createWireReader>

export interface DeltaClient {
  snapshotBytes: number
  /** of all frames after the snapshot */
  patchBytes: number
  /** from the newest answer in a message to its arrival; measured by a client that decodes */
  delaysMs: number[]
  reset(): void
  close(): void
}

/** The decoder of the measured checkout: an older one may use an older format. */
export async function readerOf(product: string): Promise<Reader> {
  const file = pathToFileURL(path.join(product, 'packages/domain/src/index.ts')).href
  const domain = (await import(file)) as { createWireReader: typeof createWireReader }
  return domain.createWireReader()
}

/** A client of the compact protocol. With a reader it also decodes the messages. */
export async function deltaClient(
  url: string,
  reader?: Reader,
  slices: readonly Slice[] = ['live'],
): Promise<DeltaClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, [DELTA_PROTOCOL], { headers: asAdmin })
  const seen = new Map<string, number>()
  let order: Promise<void> = Promise.resolve()
  const client: DeltaClient = {
    snapshotBytes: 0,
    patchBytes: 0,
    delaysMs: [],
    reset() {
      client.patchBytes = 0
      client.delaysMs = []
    },
    close: () => socket.close(),
  }
  const read = (frame: DeltaFrame, arrivedAt: number) => {
    const change = reader!.read(frame)
    if (change === 'gap') throw new Error('a frame was lost')
    for (const [id, lastSeen] of answersIn(change)) {
      if (lastSeen === seen.get(id)) continue
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
      }
      if (reader) {
        order = order.then(async () => read(JSON.parse(String(await inflate(data))) as DeltaFrame, arrivedAt))
      }
    })
  })
  if (slices.length > 1) socket.send(JSON.stringify({ type: 'subscribe', slices }))
  return client
}

interface Answered {
  lastSeen?: number
}

/** The last answer of each source. Sources are records; older versions had them in the record `meta`. */
function answersIn({ changed }: WireChange): [string, number][] {
  const put = (kind: string) =>
    [...((changed as Record<string, { put: Map<string, object> } | undefined>)[kind]?.put ?? [])] as const
  const states: [string, Answered][] = [
    ...put('sources'),
    ...put('meta').flatMap(([, meta]) =>
      Object.entries((meta as { sources?: Record<string, Answered> }).sources ?? {}),
    ),
  ]
  return states.flatMap(([id, { lastSeen }]) =>
    lastSeen === undefined ? [] : [[id, lastSeen] as [string, number]],
  )
}

export interface PlainClient {
  /** of the newest complete state */
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
