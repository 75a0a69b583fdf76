import type { MsgHdrs } from '@nats-io/transport-node'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Half of what a NATS server takes by default. */
const mostPartBytes = 512 * 1024
/** What is larger than this is none of ours. */
export const mostBytes = 64 * 1024 * 1024
const mostParts = mostBytes / mostPartBytes

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }

export const packed = (text: string | Uint8Array): Uint8Array => zstdCompressSync(text, compression)

/** Throws if it is not packed, or becomes too large. */
export const unpacked = (bytes: Uint8Array, most = mostBytes): Buffer =>
  zstdDecompressSync(bytes, { maxOutputLength: most })

/** Messages, each within the limit of the server. */
export function toParts(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let from = 0; from === 0 || from < bytes.length; from += mostPartBytes)
    parts.push(bytes.subarray(from, from + mostPartBytes))
  return parts
}

export interface Part {
  /** from 1 */
  number: number
  of: number
  bytes: Uint8Array
}

export const partHeader = { part: 'Pulse-Part', parts: 'Pulse-Parts' } as const

/** Names the part with this index. */
export function setPart(head: MsgHdrs, index: number, parts: readonly Uint8Array[]) {
  head.set(partHeader.part, String(index + 1))
  head.set(partHeader.parts, String(parts.length))
}

/** Undefined: the message is no part of anything. */
export function partOf(head: Pick<MsgHdrs, 'get'> | undefined, bytes: Uint8Array): Part | undefined {
  const number = Number(head?.get(partHeader.part) || Number.NaN)
  const of = Number(head?.get(partHeader.parts) || Number.NaN)
  return Number.isInteger(number) && Number.isInteger(of) ? { number, of, bytes } : undefined
}

/** Joins the parts of one message after the other. */
export class PartJoiner {
  readonly #most: number
  #parts: Uint8Array[] = []
  #size = 0

  constructor(most = mostBytes) {
    this.#most = most
  }

  /** of parts whose message is not complete yet */
  get heldBytes(): number {
    return this.#size
  }

  /** The whole with its last part; undefined before that, or if a part is missing. Throws if it becomes too large. */
  take({ number, of, bytes }: Part): Buffer | undefined {
    if (number === 1) this.clear()
    if (of > mostParts || number !== this.#parts.length + 1) {
      this.clear()
      return undefined
    }
    this.#parts.push(bytes)
    this.#size += bytes.length
    if (this.#size > this.#most) {
      this.clear()
      throw new RangeError('a message is too large')
    }
    if (number < of) return undefined
    const whole = Buffer.concat(this.#parts)
    this.clear()
    return whole
  }

  clear() {
    this.#parts = []
    this.#size = 0
  }
}
