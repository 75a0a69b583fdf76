import type { PlainPart } from '@pulse/domain'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { COPY_BYTES, joined } from '../polling/joined.ts'
import { yieldToEventLoop } from '../timing/yield.ts'

const compress = promisify(deflateRaw)

/** The file header of RFC 1952: deflated, no name, no time, fastest algorithm, unknown system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])
/** An empty final block. */
const end = Buffer.from([3, 0])
/** Bytes compressed at a time. The start of each stretch costs less than one percent. */
const STRETCH_BYTES = 2 * COPY_BYTES

export interface PlainZip {
  gzip(parts: readonly PlainPart<Buffer>[]): Promise<Buffer>
  /** Releases everything cached. */
  forget(): void
}

/** Compresses each part separately. A part identical to the last time is not compressed again. */
export function createPlainZip(): PlainZip {
  let kept = new Map<readonly Buffer[], readonly Buffer[]>()

  return {
    async gzip(parts) {
      const used = new Map<readonly Buffer[], readonly Buffer[]>()
      const deflated: Buffer[] = [head]
      let [crc, length] = [0, 0]
      for (const { pieces, isKept } of parts) {
        const some = used.get(pieces) ?? kept.get(pieces) ?? (await deflate(pieces))
        if (isKept) used.set(pieces, some)
        for (const one of some) deflated.push(one)
        let looked = 0
        for (const piece of pieces) {
          crc = crc32(piece, crc)
          length += piece.length
          looked += piece.length
          if (looked < 4 * COPY_BYTES) continue
          looked = 0
          await yieldToEventLoop()
        }
      }
      kept = used
      const trailer = Buffer.alloc(8)
      trailer.writeUInt32LE(crc, 0)
      trailer.writeUInt32LE(length % 2 ** 32, 4)
      return joined([...deflated, end, trailer])
    },
    forget: () => kept.clear(),
  }
}

/** Compresses stretch by stretch, so that other users of the thread pool run in between. */
async function deflate(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const deflated: Buffer[] = []
  for (const some of stretches(pieces)) {
    const bytes = await joined(some)
    // Ends at a byte boundary, so that any data may follow.
    const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(1024, bytes.length) }
    deflated.push(await compress(bytes, options))
  }
  return deflated
}

function* stretches(pieces: readonly Buffer[]): Generator<Buffer[]> {
  let some: Buffer[] = []
  let length = 0
  for (const piece of pieces) {
    some.push(piece)
    length += piece.length
    if (length < STRETCH_BYTES) continue
    yield some
    some = []
    length = 0
  }
  if (some.length > 0) yield some
}
