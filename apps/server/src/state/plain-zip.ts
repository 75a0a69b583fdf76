import type { PlainPart } from '@pulse/domain'
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { COPY_BYTES, joined } from '../polling/joined.ts'
import { yieldToEventLoop } from '../timing/yield.ts'

const compress = promisify(deflateRaw)

/** What RFC 1952 begins a file with: deflated, no name, no time, quickly, by whatever system. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255])
/** An empty block that is the last one. */
const end = Buffer.from([3, 0])
/** Compressed at a time: the cost of starting each stretch is below one percent. */
const STRETCH_BYTES = 2 * COPY_BYTES

export interface PlainZip {
  gzip(parts: readonly PlainPart<Buffer>[]): Promise<Buffer>
  /** Nothing is kept. */
  forget(): void
}

/** Each part is compressed by itself, and what is the very same as last time not again. */
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

/** On other threads, one stretch after the other: other users of these threads have them in between. */
async function deflate(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const deflated: Buffer[] = []
  for (const some of stretches(pieces)) {
    const bytes = await joined(some)
    // Ends at a byte, so that anything may follow.
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
