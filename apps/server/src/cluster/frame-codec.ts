import type { Frame } from '@pulse/domain'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** Half of what a NATS server takes by default. */
export const mostPartBytes = 512 * 1024
/** A frame has 500 records. More than this is not one of ours. */
export const mostFrameBytes = 64 * 1024 * 1024
const mostParts = 64

const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }

/** A frame as messages, each within the limit of the server. */
export function encodeFrame(frame: Frame): Uint8Array[] {
  const bytes = zstdCompressSync(JSON.stringify(frame), compression)
  const parts: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += mostPartBytes)
    parts.push(bytes.subarray(from, from + mostPartBytes))
  return parts
}

export interface Part {
  /** from 1 */
  number: number
  of: number
  bytes: Uint8Array
}

/** Joins the parts of one source's frames. Whatever is not a frame of that source is refused. */
export class FrameJoiner {
  readonly #source: string
  #parts: Uint8Array[] = []
  #size = 0

  constructor(source: string) {
    this.#source = source
  }

  /** The frame with its last part; undefined before that, or if a part is missing. Throws if it is no frame. */
  take({ number, of, bytes }: Part): Frame | undefined {
    if (number === 1) this.#forget()
    if (of > mostParts || number !== this.#parts.length + 1) {
      this.#forget()
      return undefined
    }
    this.#parts.push(bytes)
    this.#size += bytes.length
    if (this.#size > mostFrameBytes) {
      this.#forget()
      throw new RangeError('a frame is too large')
    }
    if (number < of) return undefined
    const whole = Buffer.concat(this.#parts)
    this.#forget()
    const text = zstdDecompressSync(whole, { maxOutputLength: mostFrameBytes })
    return checked(JSON.parse(text.toString()), this.#source)
  }

  #forget() {
    this.#parts = []
    this.#size = 0
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEntry = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isObject(value[1])

/** The shape that the state relies on. */
function checked(value: unknown, source: string): Frame {
  const wrong = (what: string) => new TypeError(`a frame has ${what}`)
  if (!isObject(value)) throw wrong('no fields')
  if (value['source'] !== source) throw wrong('another source than its subject')
  if (typeof value['run'] !== 'string' || value['run'].length > 100) throw wrong('no run')
  if (!Number.isSafeInteger(value['sequence']) || Number(value['sequence']) < 1) throw wrong('no sequence')
  if (!isObject(value['records'])) throw wrong('no records')
  for (const changes of Object.values(value['records'])) {
    if (!isObject(changes)) throw wrong('no changes of a kind')
    const { put, remove } = changes
    if (!Array.isArray(put) || !put.every(isEntry)) throw wrong('changes that are no records')
    if (!Array.isArray(remove) || !remove.every((id) => typeof id === 'string'))
      throw wrong('removals that are no ids')
  }
  const { state, promiseMs, overdueError } = value
  if (state !== undefined && !isObject(state)) throw wrong('no state of its source')
  if (promiseMs !== undefined && !Number.isFinite(promiseMs)) throw wrong('no promise')
  if (overdueError !== undefined && typeof overdueError !== 'string') throw wrong('no text of its error')
  return value as unknown as Frame
}
