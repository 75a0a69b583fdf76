import { DELTA_PROTOCOL, type DeltaFrame, type Slice } from '@pulse/contract'
import type { createWireReader } from '@pulse/domain'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { WebSocket } from 'ws'
import { asAdmin } from './estate.ts'

const inflate = promisify(inflateRaw)
const limitMs = 60_000

export interface SliceSnapshot {
  /** from the request to the last byte */
  ms: number
  bytes: number
  textBytes: number
  records: number
}

/** Requests the backups once, as a page does when it is opened: the records of `pbsBackups`. */
export async function openBackups(url: string): Promise<SliceSnapshot> {
  const socket = open(url)
  try {
    await next(socket, 'live')
    const from = performance.now()
    const asked = next(socket, 'backups')
    socket.send(JSON.stringify({ type: 'subscribe', slices: ['live', 'backups'] }))
    const { frame, bytes, textBytes, at } = await asked
    if (frame.t !== 'snapshot') throw new Error('the slice of the backups began without a snapshot')
    const records = (frame.index.pbsBackups ?? []).filter((id) => id !== null).length
    return { ms: at - from, bytes, textBytes, records }
  } finally {
    socket.close()
  }
}

/** The number of records that the server has, by kind, and when the connection was open that it sent them to. */
export async function countRecords(url: string): Promise<{ counts: Record<string, number>; at: number }> {
  const socket = open(url)
  try {
    let at = Number.NaN
    socket.once('open', () => (at = performance.now()))
    const { frame } = await next(socket, 'live')
    if (frame.t !== 'snapshot') throw new Error('the connection began without a snapshot')
    const kinds = Object.entries(frame.index)
    const counts = kinds.map(([kind, ids]) => [kind, ids.filter((id) => id !== null).length] as const)
    return { counts: Object.fromEntries(counts), at }
  } finally {
    socket.close()
  }
}

/** Follows the number of backups and namespaces that the server has read. */
export async function countBackups(url: string, reader: ReturnType<typeof createWireReader>) {
  const socket = open(url)
  let order: Promise<unknown> = Promise.resolve()
  const byStore = new Map<string, readonly number[]>()
  let failure: Error | undefined
  const read = async (data: Buffer) => {
    const change = reader.read(JSON.parse(String(await inflate(data))) as DeltaFrame)
    if (change === 'gap') throw new Error('a frame was lost')
    for (const [id, { namespaces = [] }] of change.changed.datastores?.put ?? []) {
      byStore.set(
        id,
        namespaces.flatMap(({ backups = 0 }) => (backups > 0 ? [backups] : [])),
      )
    }
  }
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) order = order.then(() => read(data)).catch((error: Error) => void (failure ??= error))
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    count() {
      if (failure) throw failure
      const held = [...byStore.values()].flat()
      return { backups: held.reduce((sum, one) => sum + one, 0), namespaces: held.length }
    },
    close: () => socket.close(),
  }
}

const open = (url: string) =>
  new WebSocket(`${url.replace('http', 'ws')}/ws`, [DELTA_PROTOCOL], {
    headers: asAdmin,
    maxPayload: 512 * 1024 * 1024,
  })

/** The next frame of that slice. */
function next(socket: WebSocket, slice: Slice) {
  return new Promise<{ frame: DeltaFrame; bytes: number; textBytes: number; at: number }>(
    (resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not measured: no frame of ${slice}`)), limitMs)
      // a short frame may be inflated before the long one that precedes it
      let order: Promise<unknown> = Promise.resolve()
      const read = async (data: Buffer, at: number) => {
        const text = await inflate(data)
        const frame = JSON.parse(String(text)) as DeltaFrame
        if (frame.s !== slice) return
        clearTimeout(timer)
        socket.off('message', take)
        resolve({ frame, bytes: data.length, textBytes: text.length, at })
      }
      const take = (data: Buffer, isBinary: boolean) => {
        const at = performance.now()
        if (!isBinary) return
        order = order.then(() => read(data, at)).catch(reject)
      }
      socket.on('message', take)
      socket.once('error', reject)
    },
  )
}
