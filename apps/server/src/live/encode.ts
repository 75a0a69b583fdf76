import type { InSteps } from '@pulse/domain'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { joined } from '../polling/joined.ts'
import { runYielding } from '../timing/yield.ts'

const compress = promisify(deflateRaw)

/** Characters encoded between two yields to the event loop. */
export const ENCODED_CHARS = 256 * 1024

/** Encodes and compresses a frame as one chunk. Each further chunk would wait for the event loop. */
export async function encode(json: InSteps<string[]>): Promise<Buffer> {
  const parts = await runYielding(bytesInSteps(await runYielding(json)))
  const whole = parts.length === 1 ? parts[0]! : await joined(parts)
  return compress(whole, { chunkSize: Math.max(1024, whole.length) })
}

/** Each of the pieces is short: a few hundred records. */
export function* bytesInSteps(pieces: readonly string[]): InSteps<Buffer[]> {
  const parts: Buffer[] = []
  let text = ''
  for (const piece of pieces) {
    if (text.length > 0 && text.length + piece.length > ENCODED_CHARS) {
      parts.push(Buffer.from(text))
      text = ''
      yield
    }
    text += piece
  }
  return [...parts, Buffer.from(text)]
}
