import type { Frame } from '@pulse/domain'
import { packed, type Part, PartJoiner, toParts, unpacked } from './parts.ts'

/** of its parts */
const mostFrameBytes = 8 * 1024 * 1024

/** A frame as messages, each within the limit of the server. It has 500 records at most. */
export const encodeFrame = (frame: Frame): Uint8Array[] => toParts(packed(JSON.stringify(frame)))

/** Joins the parts of one source's frames. Whatever is not a frame of that source is refused. */
export class FrameJoiner {
  readonly #source: string
  readonly #parts = new PartJoiner(mostFrameBytes)

  constructor(source: string) {
    this.#source = source
  }

  get heldBytes(): number {
    return this.#parts.heldBytes
  }

  clear() {
    this.#parts.clear()
  }

  /** The frame with its last part; undefined before that, or if a part is missing. Throws if it is no frame. */
  take(part: Part): Frame | undefined {
    const whole = this.#parts.take(part)
    return whole && checked(JSON.parse(unpacked(whole).toString()), this.#source)
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
