import type { Frame } from '@pulse/domain'
import type { SentFrame } from './field-changes.ts'
import { createFieldReader } from './field-reader.ts'
import { packed, type Part, PartJoiner, toParts, unpacked } from './parts.ts'

/** of its parts */
const mostFrameBytes = 8 * 1024 * 1024

/** A frame as messages, each within the limit of the server. It has 500 records at most. */
export const encodeFrame = (frame: SentFrame): Uint8Array[] => toParts(packed(JSON.stringify(frame)))

/** Joins the parts of one source's frames, and completes them. Whatever is not a frame of that source is refused. */
export class FrameJoiner {
  readonly #source: string
  readonly #parts = new PartJoiner(mostFrameBytes)
  readonly #complete = createFieldReader()

  constructor(source: string) {
    this.#source = source
  }

  get heldBytes(): number {
    return this.#parts.heldBytes
  }

  clear() {
    this.#parts.clear()
  }

  /**
   * The frame with its last part; undefined before that, if a part is missing, or if it came before. `gap`: a frame before
   * it is missing. Throws if it is no frame.
   */
  take(part: Part): Frame | 'gap' | undefined {
    const whole = this.#parts.take(part)
    return whole && this.#complete(checked(JSON.parse(unpacked(whole).toString()), this.#source))
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isEntry = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && isObject(value[1])

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((one) => Number.isSafeInteger(one))
const isColumn = (value: unknown) =>
  isObject(value) &&
  isNumbers(value['i']) &&
  Array.isArray(value['v']) &&
  value['i'].length === value['v'].length

/** The shape that the state relies on. */
function checked(value: unknown, source: string): SentFrame {
  const wrong = (what: string) => new TypeError(`a frame has ${what}`)
  if (!isObject(value)) throw wrong('no fields')
  if (value['source'] !== source) throw wrong('another source than its subject')
  if (typeof value['run'] !== 'string' || value['run'].length > 100) throw wrong('no run')
  if (!Number.isSafeInteger(value['sequence']) || Number(value['sequence']) < 1) throw wrong('no sequence')
  if (!isObject(value['records'])) throw wrong('no records')
  for (const changes of Object.values(value['records'])) {
    if (!isObject(changes)) throw wrong('no changes of a kind')
    const { put, remove, set = {}, unset = {} } = changes
    if (!Array.isArray(put) || !put.every(isEntry)) throw wrong('changes that are no records')
    if (!Array.isArray(remove) || !remove.every((id) => typeof id === 'string'))
      throw wrong('removals that are no ids')
    if (!isObject(set) || !Object.values(set).every(isColumn)) throw wrong('fields that are no columns')
    if (!isObject(unset) || !Object.values(unset).every(isNumbers)) throw wrong('fields of no records')
  }
  const { state, promiseMs, overdueError } = value
  if (state !== undefined && !isObject(state)) throw wrong('no state of its source')
  if (promiseMs !== undefined && !Number.isFinite(promiseMs)) throw wrong('no promise')
  if (overdueError !== undefined && typeof overdueError !== 'string') throw wrong('no text of its error')
  return value as unknown as SentFrame
}
